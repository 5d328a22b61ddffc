import type { Resources } from './generated/resources';
import type { RequestOptions } from './settings';
import type { AnswerOf, BodyOf } from './types';

/** Most orders that the API accepts in a batch. */
const BATCH_SIZE = 500;
/** The API accepts 2 MB; the rest is for the frame of the body. */
const BATCH_BYTES = 1_900_000;

type Batch = BodyOf<'createTransactions'>;
type Order = Batch['transactions'][number];

/** Options of createMany: the key is needed, as batches without one cannot be repeated together. */
type CreateManyOptions = RequestOptions & { idempotencyKey: string };

export interface CreateMany {
  /**
   * Creates any number of orders, in batches of at most 500, one after the other. Batch n has the key
   * `<idempotencyKey>-<n>`, so an import that stopped is continued by the same call.
   * @returns a result for each order, in the same order
   * @throws the error of a batch; the batches before it have taken effect
   */
  createMany(body: Batch, options: CreateManyOptions): Promise<AnswerOf<'createTransactions'>>;
}

export function createManyOf({
  createBatch,
}: Pick<Resources['transactions'], 'createBatch'>): CreateMany {
  return {
    async createMany({ transactions, ...common }, options) {
      if (options?.idempotencyKey === undefined) {
        throw new TypeError('createMany needs an idempotencyKey');
      }
      const results: AnswerOf<'createTransactions'> = [];
      for (const [number, batch] of batchesOf(transactions).entries()) {
        const idempotencyKey = `${options.idempotencyKey}-${number}`;
        const body = { ...common, transactions: batch };
        results.push(...(await createBatch(body, { ...options, idempotencyKey })));
      }
      return results;
    },
  };
}

/** The same orders always make the same batches, as their keys demand. */
function batchesOf(orders: readonly Order[]): Order[][] {
  const encoder = new TextEncoder();
  const batches: Order[][] = [];
  let bytes = 0;
  for (const order of orders) {
    const size = encoder.encode(JSON.stringify(order)).length + 1;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === BATCH_SIZE || bytes + size > BATCH_BYTES) {
      batches.push([order]);
      bytes = size;
    } else {
      batch.push(order);
      bytes += size;
    }
  }
  return batches;
}
