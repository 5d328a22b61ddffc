import autocannon from 'autocannon';

/** Sent before the first round is sized, to know about how fast the answers come. */
const FIRST_AMOUNT = 150;
/** A process that was just started opens its connections one after another. */
const FIRST_CONNECTIONS = 4;
/** A request that is not answered by then has failed, and with it the run. */
const TIMEOUT_SECONDS = 30;

/** How often autocannon looks whether all is answered; of itself once a second. */
const LOOK_MS = 50;

/** The request, generated for each call. */
export interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

export interface LoadOptions {
  url: string;
  connections: number;
  /** The nth request of this load. */
  draw: (n: number) => Sent;
  headers: Record<string, string>;
  /** Requests of a round, where it is not its seconds that say how many. */
  amount?: number;
}

export interface Measured {
  /** Answers, or transactions of pgbench, in a second. */
  perSecond: number;
  count: number;
  p50Ms: number;
  /** The percentile of autocannon that is nearest to p95. */
  p97Ms: number;
}

/**
 * One kind of request, loaded in rounds by autocannon. A round is a number of requests and not a
 * time, so that none is cut off: every request was answered, and its rows are in the database.
 */
export class Load {
  /** Requests that were answered, those that sized the first round included. */
  answered = 0;
  private drawn = 0;
  private perSecond: number | undefined;

  constructor(private readonly options: LoadOptions) {}

  /** @throws Error when any answer is not a success */
  async round(seconds: number): Promise<Measured> {
    const { amount, connections } = this.options;
    if (amount !== undefined) return this.send(amount);
    this.perSecond ??= (await this.send(FIRST_AMOUNT, FIRST_CONNECTIONS)).perSecond;
    const measured = await this.send(Math.max(connections, Math.ceil(this.perSecond * seconds)));
    this.perSecond = measured.perSecond;
    return measured;
  }

  private async send(amount: number, connections = this.options.connections): Promise<Measured> {
    const { url, headers, draw } = this.options;
    let first: string | undefined;
    const startedAt = performance.now();
    let lastAt = startedAt;
    const running = autocannon({
      url,
      connections: Math.min(connections, amount),
      amount,
      timeout: TIMEOUT_SECONDS,
      sampleInt: LOOK_MS,
      requests: [
        {
          setupRequest: (request) => {
            this.drawn += 1;
            const { method, path, headers: own, body } = draw(this.drawn);
            const text = body === undefined ? undefined : JSON.stringify(body);
            return {
              ...request,
              method,
              path,
              headers: { ...headers, ...own, ...(text && { 'content-type': 'application/json' }) },
              ...(text && { body: text }),
            };
          },
          onResponse: (status, body) => {
            lastAt = performance.now();
            if (status >= 300) first ??= `${status} ${body}`;
          },
        },
      ],
    });
    const result = await running;
    const seconds = (lastAt - startedAt) / 1_000;
    if (result.non2xx > 0 || result.errors > 0 || result['2xx'] !== amount) {
      const seen = `${result['2xx']} good, ${result.non2xx} bad, ${result.errors} failed`;
      throw new Error(`Of ${amount} requests ${seen}; the first bad one: ${first ?? 'none'}`);
    }
    this.answered += amount;
    const { p50, p97_5 } = result.latency;
    return { perSecond: amount / seconds, count: amount, p50Ms: p50, p97Ms: p97_5 };
  }
}
