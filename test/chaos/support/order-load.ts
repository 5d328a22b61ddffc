import { randomUUID } from 'node:crypto';
import type { Market } from './market';

/** Longer than the gateway's own deadline of 10 s. */
const CLIENT_TIMEOUT_MS = 15_000;

/** One request and how it ended. */
export interface Sent {
  /** When it was sent, and how long it took, in milliseconds. */
  at: number;
  ms: number;
  ok: boolean;
}

/** Orders at a steady rate, each sent once: a caller that does not wait for the one before. */
export class OrderLoad {
  /** Ids of orders that were answered 2xx. */
  readonly acknowledged: string[] = [];
  readonly #sent: Sent[] = [];
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;

  /** @param pesos amount of each order */
  constructor(
    private readonly baseUrl: string,
    private readonly market: Market,
    private readonly pesos: number,
  ) {}

  start(perSecond: number): void {
    this.#timer = setInterval(() => {
      const order = this.#order().finally(() => this.#running.delete(order));
      this.#running.add(order);
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
    return this.#sent.filter((one) => one.at >= at);
  }

  async #order(): Promise<void> {
    const { stores, wholesaler } = this.market;
    const { cornerStoreId } = stores[(this.#turn += 1) % stores.length] as Market['stores'][number];
    const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
    const order = { cornerStoreId, totalAmount: this.pesos, products };
    const at = Date.now();
    const id = await fetch(`${this.baseUrl}/v1/transaction`, {
      method: 'POST',
      headers: {
        authorization: wholesaler.key,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ ...order, wholesalerTransactionId: randomUUID() }),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
    }).then(idOf, () => undefined);
    this.#sent.push({ at, ms: Date.now() - at, ok: id !== undefined });
    if (id !== undefined) this.acknowledged.push(id);
  }
}

async function idOf(answer: Response): Promise<string | undefined> {
  const body = (await answer.json()) as { transactionId?: string };
  return answer.ok ? body.transactionId : undefined;
}
