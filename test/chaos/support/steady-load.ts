import { randomUUID } from 'node:crypto';
import type { Market } from './market';

/** Longer than the gateway's own deadline of 10 s. */
const CLIENT_TIMEOUT_MS = 15_000;

/** One request and how it ended. */
export interface Sent {
  /** When it was sent, and how long it took, in milliseconds. */
  at: number;
  ms: number;
  /** Of the answer; 0 without one. */
  status: number;
  /** Of the order, where one was answered 2xx. */
  id?: string;
}

interface LoadRequest {
  method: 'POST' | 'PUT';
  url: string;
  key: string;
  body: object;
}

/** Requests at a steady rate, each sent once: a caller that does not wait for the one before. */
export class SteadyLoad {
  readonly sent: Sent[] = [];
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param draw makes the next request */
  constructor(private readonly draw: () => LoadRequest | Promise<LoadRequest>) {}

  start(perSecond: number): void {
    this.#timer = setInterval(() => {
      const request = this.send().finally(() => this.#running.delete(request));
      this.#running.add(request);
    }, 1_000 / perSecond);
  }

  /** Waits for the requests that run now. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.settled();
  }

  /** Requests that were sent after a moment, in milliseconds. */
  since(at: number): Sent[] {
    return this.sent.filter((one) => one.at >= at);
  }

  async send(): Promise<void> {
    const { method, url, key, body } = await this.draw();
    const at = Date.now();
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: key,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
    }).then(read, () => ({ status: 0 }));
    this.sent.push({ at, ms: Date.now() - at, ...answer });
  }
}

async function read(answer: Response): Promise<Pick<Sent, 'status' | 'id'>> {
  const { status, ok } = answer;
  const text = await answer.text();
  const { transactionId: id } = ok ? (JSON.parse(text) as { transactionId?: string }) : {};
  return id === undefined ? { status } : { status, id };
}

/** Orders of so many pesos each. */
export function orderLoad(
  baseUrl: string,
  { stores, wholesaler }: Market,
  pesos: number,
): SteadyLoad {
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
  let turn = 0;
  return new SteadyLoad(() => {
    const cornerStoreId = stores[(turn += 1) % stores.length]?.cornerStoreId;
    const order = { cornerStoreId, totalAmount: pesos, products };
    const body = { ...order, wholesalerTransactionId: randomUUID() };
    return { method: 'POST', url: `${baseUrl}/v1/transaction`, key: wholesaler.key, body };
  });
}

/** For a person: how many answers had each status. */
export function statusesOf(sent: Sent[]): string {
  const counts = new Map<number, number>();
  for (const { status } of sent) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}
