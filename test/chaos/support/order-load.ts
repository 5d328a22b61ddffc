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
  /** Of the order, where it was answered 2xx. */
  id?: string;
}

/** Orders at a steady rate, each sent once: a caller that does not wait for the one before. */
export class OrderLoad {
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

  /** Orders that were answered 2xx. */
  get acknowledged(): Array<Sent & { id: string }> {
    return this.#sent.filter((one): one is Sent & { id: string } => one.id !== undefined);
  }

  async #order(): Promise<void> {
    const { stores, wholesaler } = this.market;
    const { cornerStoreId } = stores[(this.#turn += 1) % stores.length] as Market['stores'][number];
    const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
    const order = { cornerStoreId, totalAmount: this.pesos, products };
    const at = Date.now();
    const answer = await fetch(`${this.baseUrl}/v1/transaction`, {
      method: 'POST',
      headers: {
        authorization: wholesaler.key,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ ...order, wholesalerTransactionId: randomUUID() }),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
    }).then(read, () => ({ status: 0 }));
    this.#sent.push({ at, ms: Date.now() - at, ...answer });
  }
}

async function read(answer: Response): Promise<Pick<Sent, 'status' | 'id'>> {
  const text = await answer.text();
  if (!answer.ok) return { status: answer.status };
  return {
    status: answer.status,
    id: (JSON.parse(text) as { transactionId: string }).transactionId,
  };
}
