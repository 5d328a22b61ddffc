import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadConfig } from '@fiado/chassis/config';
import { Database } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { createLogger } from '@fiado/chassis/logger';
import {
  createTestDatabase,
  type TestDatabase,
  withDatabase,
} from '@fiado/chassis/testing/database';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { type Standby, startStandby } from '@fiado/embedded-postgres/testing/standby';
import { PaymentsConfig } from '../src/config';
import { openReplica } from '../src/context';
import { paymentsSchema } from '../src/db/schema';
import { fillPortfolio, readDay } from '../src/portfolio/fill-portfolio';

const DAY_MS = 86_400_000;
const WHOLESALER_ID = randomUUID();

let dataDir: string;
let primary: EmbeddedPostgres;
let standby: Standby;
let database: TestDatabase;
let context: ReturnType<typeof contextWith>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fiado-primary-'));
  primary = new EmbeddedPostgres({ dataDir, durable: false });
  const { databaseUrl: url } = await primary.start();
  standby = await startStandby({ url, dataDir });
  database = await createTestDatabase(paymentsSchema, url);
  context = contextWith(withDatabase(standby.url, database.name));
});
afterAll(async () => {
  await close(context);
  await standby.dispose();
  await primary.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the loop of the portfolio works with. */
function contextWith(readDatabaseUrl: string) {
  const config = loadConfig(PaymentsConfig, {
    ...TEST_ENVIRONMENT,
    ...testKeyVariables('payments'),
    ...database.environment,
    READ_DATABASE_URL: readDatabaseUrl,
  });
  const log = createLogger('payments', 'silent');
  const db = Database.open(paymentsSchema, database.connection, () => {});
  return { config, log, db, replica: openReplica({ config, log }) };
}

async function close({ db, replica }: ReturnType<typeof contextWith>): Promise<void> {
  await Promise.all([db.close(), replica?.close()]);
}

/** Writes a debt that was booked so long ago. */
async function owe(agoMs: number): Promise<void> {
  await query(
    context.db,
    `WITH balance AS (
       INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia)
       SELECT id, id, id::text FROM gen_random_uuid() id RETURNING user_id, corner_store_id),
     debt AS (
       INSERT INTO receivables
         (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
          principal_cents, interest_cents, iva_cents, due_at, opened_at, version)
       SELECT user_id, user_id, $2, corner_store_id, user_id, 'x', user_id::text, 100, 0, 0, $1, $1, 1
         FROM balance RETURNING id)
     INSERT INTO receivable_entries
       (receivable_id, version, cause, principal_cents, interest_cents, iva_cents, created_at)
     SELECT id, 1, 'opened', 100, 0, 0, $1 FROM debt`,
    [new Date(Date.now() - agoMs), WHOLESALER_ID],
  );
}

/** Reads what changed in the week that ended so long ago. @returns where, and how many debts came */
async function read(agoMs: number, of = context) {
  const endsAt = new Date(Date.now() - agoMs);
  const startsAt = new Date(endsAt.getTime() - 7 * DAY_MS);
  const day = { day: endsAt.toISOString().slice(0, 10), startsAt, endsAt };
  const { changes, readFrom } = await readDay(of, day);
  const rows = changes.changes as Array<{ debts: number }>;
  return { readFrom, debts: rows.reduce((sum, { debts }) => sum + debts, 0) };
}

async function onStandby(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const owner = new Client({ connectionString: standby.url });
  await owner.connect();
  try {
    return (await owner.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await owner.end();
  }
}

/** Stops the replay where all is replayed that was committed so far. */
async function pauseReplay(): Promise<void> {
  const [written] = await query<{ lsn: string }>(context.db, 'SELECT pg_current_wal_lsn() AS lsn');
  await until('the replica has it', async () => {
    const [row] = await onStandby('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has', [
      written?.lsn,
    ]);
    return row?.has === true;
  });
  await onStandby('SELECT pg_wal_replay_pause()');
  await until('the replica pauses', async () => {
    const [row] = await onStandby('SELECT pg_get_wal_replay_pause_state() AS state');
    return row?.state === 'paused';
  });
}

describe('a day of the portfolio, while the replica lacks the last debt', () => {
  beforeAll(async () => {
    await owe(5 * DAY_MS);
    await pauseReplay();
    await owe(5 * DAY_MS);
  });

  it('is read from the replica if the day was over by what that has', async () => {
    expect(await read(2 * DAY_MS)).toEqual({ readFrom: 'replica', debts: 1 });
  });

  it('is read from the primary if the day was not', async () => {
    expect(await read(-DAY_MS)).toEqual({ readFrom: 'primary', debts: 2 });
  });

  it('is read from the primary if READ_DATABASE_URL names no replica', async () => {
    const other = contextWith(database.ownerUrl);
    expect(await read(2 * DAY_MS, other)).toEqual({ readFrom: 'primary', debts: 2 });
    await close(other);
  });

  it('tells in the log where it was read', async () => {
    const info = jest.spyOn(context.log, 'info');
    expect(await fillPortfolio(context)).toBe(true);
    const fields: unknown = expect.objectContaining({ readFrom: 'replica' });
    expect(info).toHaveBeenCalledWith(fields, 'portfolio filled');
  });

  it('is read from the primary if the replica is gone', async () => {
    await standby.stop();
    expect(await read(2 * DAY_MS)).toEqual({ readFrom: 'primary', debts: 2 });
  });
});
