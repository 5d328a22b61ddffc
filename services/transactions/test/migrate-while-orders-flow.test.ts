import { Client } from 'pg';
import { migrate } from '@fiado/chassis/db/migrate';
import { indexMigration, migration } from '@fiado/chassis/db/migration';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { transactionsSchema } from '../src/db/schema';
import { startTransactions, type CornerStore } from './support/transactions';

const addColumn = migration(
  'AddColumn4000000000000',
  'ALTER TABLE transactions ADD COLUMN later text',
);
const addIndex = (name: string): Function =>
  indexMigration(`${name}4000000001000`, { [name]: 'ON transactions (user_id)' });

const transactions = forAllTests(startTransactions);
let store: CornerStore;
let reader: Client;
/** Its statements are no part of the reader's transaction, which sees one state of the activity. */
let watcher: Client;
beforeEach(async () => {
  store = await transactions.createCornerStore();
  reader = new Client({ connectionString: transactions.ownerUrl });
  await reader.connect();
  watcher = new Client({ connectionString: transactions.ownerUrl });
  await watcher.connect();
});
afterEach(async () => {
  await reader.end();
  await watcher.end();
});

/** As pg_dump does it: one snapshot and a lock on the table until it ends. */
async function readForLong(): Promise<void> {
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await reader.query('SELECT count(*) FROM transactions.transactions');
}

function migrateWith(...later: Function[]): Promise<void> {
  const schema = {
    ...transactionsSchema,
    migrations: [...transactionsSchema.migrations, ...later],
  };
  return migrate({ schema, ownerUrl: transactions.ownerUrl, queuesInPostgres: true });
}

/** Backends that wait for a lock while they run a statement like that. */
async function waitingFor(statement: string): Promise<string[]> {
  const { rows } = await watcher.query<{ started: Date }>(
    `SELECT query_start AS started FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [`${statement}%`],
  );
  return rows.map(({ started }) => started.toISOString());
}

async function statusesOfOrders(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let placed = 0; placed < count; placed += 1) {
    statuses.push((await transactions.order(store, { totalAmount: 100 })).status);
  }
  return statuses;
}

it('orders continue while a migration waits for a long reader and retries', async () => {
  await readForLong();
  const migrating = migrateWith(addColumn);
  const tries = new Set<string>();
  const tried = (times: number) =>
    until(`the change was tried ${times} times`, async () => {
      for (const started of await waitingFor('ALTER TABLE transactions')) tries.add(started);
      return tries.size >= times;
    });

  await tried(1);
  expect(await statusesOfOrders(5)).toEqual(Array(5).fill(201));
  await tried(2);
  expect(await statusesOfOrders(5)).toEqual(Array(5).fill(201));
  await reader.query('COMMIT');
  await migrating;

  await transactions.rows('SELECT later FROM transactions');
});

it('orders continue while an index waits for a long reader', async () => {
  await readForLong();
  const migrating = migrateWith(addIndex('waiting_index'));
  await until(
    'the index waits for the reader',
    async () => (await waitingFor('CREATE INDEX')).length > 0,
  );

  expect(await statusesOfOrders(5)).toEqual(Array(5).fill(201));
  await reader.query('COMMIT');
  await migrating;

  expect(await validityOf('waiting_index')).toBe(true);
});

it('two migrations at once build an index once', async () => {
  await Promise.all([migrateWith(addIndex('shared_index')), migrateWith(addIndex('shared_index'))]);
  expect(await validityOf('shared_index')).toBe(true);
});

it('an index that a killed migration left invalid is built again', async () => {
  await readForLong();
  const killed = migrateWith(addIndex('killed_index'));
  const failure = expect(killed).rejects.toThrow(/terminat/);
  await until(
    'the index waits for the reader',
    async () => (await waitingFor('CREATE INDEX')).length > 0,
  );
  await watcher.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE datname = current_database() AND query LIKE 'CREATE INDEX%'`);
  await reader.query('COMMIT');
  await failure;
  expect(await validityOf('killed_index')).toBe(false);

  await migrateWith(addIndex('killed_index'));
  expect(await validityOf('killed_index')).toBe(true);
});

async function validityOf(index: string): Promise<boolean | undefined> {
  const [row] = await transactions.rows<{ indisvalid: boolean }>(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = $1::regclass`,
    [index],
  );
  return row?.indisvalid;
}
