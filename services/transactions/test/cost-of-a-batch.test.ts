import { Client } from 'pg';
import {
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '@fiado/embedded-postgres/testing/temporary-postgres';
import { TIMING } from '@fiado/chassis/timing';
import { until } from '@fiado/chassis/testing/until';
import { expectAtMost, measureCost, total } from '../../../test/support/cost';
import { CountingProxy } from '../../../test/support/counting-proxy';
import {
  startTransactions,
  type CornerStore,
  type TransactionsService,
} from './support/transactions';

const ORDERS = 32;
/** Batches of a measurement, one after another. Odd, so that one of them is the median. */
const BATCHES = 5;

/**
 * The most statements of each role for the whole batch; each is one round trip: the terms, the holds,
 * two of the relay, and one job in which all SMS leave. To raise one, say in the commit what the
 * orders gain by it.
 */
const MOST_STATEMENTS = { fiado_bullmq: 1, fiado_transactions: 4 };
/**
 * Measured 91,700, of which the holds have 56,700 and the job 29,500. Another field of 75 bytes in
 * each order would exceed it.
 */
const MOST_PARAMETER_BYTES = 94_000;
/**
 * Measured 185,000 in PostgreSQL 18 without page images, and up to 193,000 for a batch that index pages
 * are split for. Another row of 800 bytes with each order would exceed it.
 */
const MOST_WAL_BYTES = 210_000;

let postgres: TemporaryPostgres;
let proxy: CountingProxy;
let transactions: TransactionsService;
let owner: Client;
beforeAll(async () => {
  // Of its own: a server has one WAL for all its databases.
  postgres = await startTemporaryPostgres();
  proxy = await CountingProxy.start(postgres.url);
  transactions = await startTransactions(
    // Queues in Postgres, where their statements are counted too.
    { REDIS_URL: '' },
    {
      // Loops that look more often would be counted.
      timing: TIMING,
      ownServerUrl: postgres.url,
      through: (url) => proxy.urlOf(url),
    },
  );
  owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await transactions?.stop();
  await proxy?.stop();
  await postgres?.stop();
});

it('32 orders of 32 stores in one batch cost a known number of statements, round trips and bytes', async () => {
  const stores = await Promise.all(
    Array.from({ length: ORDERS }, () => transactions.createCornerStore()),
  );
  // Connections and prepared statements of the first orders are not counted.
  await orderInOneBatch(stores);
  const cost = await measureCost({ proxy, owner, times: BATCHES }, () => orderInOneBatch(stores));

  expectAtMost(MOST_STATEMENTS, cost);
  expect(total(cost.parameterBytes)).toBeLessThanOrEqual(MOST_PARAMETER_BYTES);
  expect(cost.walBytes).toBeLessThanOrEqual(MOST_WAL_BYTES);
});

/** Holds the lanes closed until all orders wait. Ends when the SMS of the orders are in their queue. */
async function orderInOneBatch(stores: CornerStore[]): Promise<void> {
  const { terms, holds } = transactions.context.lanes;
  terms.pause();
  holds.pause();
  const answers = stores.map((store) => transactions.order(store));
  for (const lane of [terms, holds]) {
    await until('all orders wait', () => lane.size === stores.length);
    lane.resume();
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses).toEqual(stores.map(() => 201));
  await until('the SMS are in their queue', async () => {
    const { rowCount } = await owner.query(
      'SELECT FROM transactions.outbox WHERE enqueued_at IS NULL',
    );
    return rowCount === 0;
  });
}
