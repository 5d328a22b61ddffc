import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Caller } from '@fiado/contracts/caller';
import { ops } from '@fiado/chassis/testing/callers';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import { endProcess } from '@fiado/chassis/testing/end-process';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { callTo, tokenHeader } from '@fiado/chassis/testing/call';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import { paymentsSchema } from '../src/db/schema';

const ANONYMOUS: Caller = { kind: 'anonymous', id: 'anonymous', name: 'anonymous', scopes: [] };
/** Some 5 parts. */
const ENTRIES = 100_000;

/** A debt with many entries, of which a hundred have the same time. */
const FILL = `
  SET search_path = payments;
  INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia)
  VALUES ('11111111-1111-4111-8111-111111111111', gen_random_uuid(), 'x');
  INSERT INTO receivables (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id,
                           id_factura, principal_cents, interest_cents, iva_cents, due_at, version)
  SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), corner_store_id, user_id, 'x', 'x',
         100, 0, 0, now(), ${ENTRIES} FROM credit_balances;
  INSERT INTO receivable_entries (receivable_id, version, cause, principal_cents, interest_cents,
                                  iva_cents, created_at)
  SELECT id, n, 'opened', n, 0, 0, '2026-11-02T12:00:00Z'::timestamptz + n / 100 * interval '1 minute'
    FROM receivables, generate_series(1, ${ENTRIES}) n;`;

describe('an export whose processes are killed', () => {
  let database: TestDatabase;
  let owner: Client;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(paymentsSchema);
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(FILL);
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await owner.end();
    await database.drop();
  });

  /** Payments in a process of its own. */
  async function start() {
    const child = spawn(
      process.execPath,
      [...RUN_SOURCES, join(__dirname, 'support', 'payments-at.ts')],
      {
        env: {
          PATH: process.env.PATH,
          ...TEST_ENVIRONMENT,
          ...testKeyVariables('payments'),
          ...database.environment,
          ...(process.env.REDIS_URL === undefined ? {} : { REDIS_URL: process.env.REDIS_URL }),
          QUEUE_PREFIX: database.name,
          NOW: '2027-11-02T12:00:00Z',
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    running.push(child);
    const [port] = (await once(child, 'message')) as [number];
    return { child, url: `http://127.0.0.1:${port}` };
  }

  /** Kills a process once so many parts are stored, and ends its lease as the time would. */
  async function killAfter(parts: number, child: ChildProcess): Promise<void> {
    await until('the parts are stored', async () => {
      const { rows } = await owner.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM export_parts',
      );
      return (rows[0]?.count ?? 0) >= parts;
    });
    await endProcess(child);
    const { rowCount } = await owner.query(
      `UPDATE exports SET leased_until = now() - interval '1 second' WHERE status = 'running'`,
    );
    expect(rowCount).toBe(1);
  }

  it('is whole after two kills: each row once, in order', async () => {
    const first = await start();
    const body = { from: '2026-11-01', to: '2027-11-01', format: 'jsonl' };
    const path = '/v1/admin/exports/ledger-entries';
    const started = await callTo('payments', first.url)(ops(), 'POST', path, { body });
    expect(started.status).toBe(202);
    await killAfter(1, first.child);
    await killAfter(3, (await start()).child);

    const { url } = await start();
    const call = callTo('payments', url);
    const own = `${path}/${started.body.exportId}`;
    await until('the export is ready', async () => {
      return (await call(ops(), 'GET', own)).body.status === 'ready';
    });
    const { rows, sha256 } = (await call(ops(), 'GET', own)).body;
    const link = (await call(ops(), 'POST', `${own}/link`)).body.url as string;
    const file = await fetch(`${url}${new URL(link).pathname}`, {
      headers: await tokenHeader('payments', ANONYMOUS),
    });
    const bytes = Buffer.from(await file.arrayBuffer());
    const entries = bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { entry: number }).entry);

    expect([rows, sha256]).toEqual([ENTRIES, createHash('sha256').update(bytes).digest('hex')]);
    expect(entries).toEqual(Array.from({ length: ENTRIES }, (_, n) => n + 1));
  });
});
