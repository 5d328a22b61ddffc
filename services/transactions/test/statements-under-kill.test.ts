import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { environmentBeside } from '@fiado/chassis/testing/environment-beside';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { closeStatement, HASH_OF_LINES } from '../src/statements/close-statements';
import { closeNow } from './support/statements';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

/** Closing processes that die one after another. The process of the test closes beside them, and lives on. */
const KILLS = 2;

/** Statements that are closed by two at once in the process that lives on: often enough to meet, again and again. */
const STATEMENTS = 25;

/** Lines of each database transaction of the writers: a closing takes long enough to be hit. */
const LINES = 200;

/** Between two transactions of a writer, so that a slow machine closes as fast as it writes. */
const PAUSE_MS = 50;

function startCloser(store: CornerStore): ChildProcess {
  return spawn(
    process.execPath,
    [...RUN_SOURCES, require.resolve('./support/transactions-closing')],
    {
      env: {
        ...environmentBeside('transactions', transactions.context.config),
        WHOLESALER_ID: store.caller.id,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
}

/** Writes lines until it is stopped. Each transaction commits some time after the time of its lines. */
async function writeLines(wholesalerId: string, stopping: AbortSignal): Promise<void> {
  const owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path = transactions');
  while (!stopping.aborted) {
    await owner.query('BEGIN');
    await owner.query(
      `INSERT INTO settlement_lines (wholesaler_id, kind, source_id, gross_cents, commission_cents)
       SELECT $1, 'adjustment', uuidv7(), 1 + (random() * 10000)::int, 0
         FROM generate_series(1, $2)`,
      [wholesalerId, LINES],
    );
    await sleep(Math.random() * 60);
    await owner.query('COMMIT');
    await sleep(PAUSE_MS);
  }
  await owner.end();
}

/** Closes again and again until it is stopped. */
async function keepClosing(wholesalerId: string, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await closeStatement(transactions.context, wholesalerId, new Date());
    // For as long as a closing takes, so that most find new lines.
    await sleep(Math.random() * 10);
  }
}

it('processes close at once and die by kill -9: no line is lost or counted twice, no number is missing', async () => {
  const store = await transactions.createCornerStore();
  const { id: wholesalerId } = store.caller;
  const count = async () => {
    const rows = await transactions.rows('SELECT FROM statements WHERE wholesaler_id = $1', [
      wholesalerId,
    ]);
    return rows.length;
  };
  const victims = Array.from({ length: KILLS }, () => startCloser(store));
  await Promise.all(victims.map((victim) => once(victim, 'message')));
  const stopping = new AbortController();
  const running = [1, 2].flatMap(() => [
    writeLines(wholesalerId, stopping.signal),
    keepClosing(wholesalerId, stopping.signal),
  ]);
  for (const victim of victims) victim.send('begin');
  for (const victim of victims) {
    await sleep(Math.random() * 150);
    victim.kill('SIGKILL');
  }
  await until('the others have closed more', async () => (await count()) > STATEMENTS);
  stopping.abort();
  await Promise.all(running);
  // The server may notice a moment later that a process is gone, whose lock it keeps until then.
  await until(
    'the rest is closed',
    async () => (await closeNow(transactions, store)).status === 200,
  );

  const lines = await transactions.rows(
    `SELECT count(*)::int AS lines, count(statement_id)::int AS closed,
            sum(gross_cents)::bigint AS cents
       FROM settlement_lines WHERE wholesaler_id = $1`,
    [wholesalerId],
  );
  const statements = await transactions.rows(
    `SELECT sum(lines)::int AS lines, sum(lines)::int AS closed, sum(gross_cents)::bigint AS cents
       FROM statements WHERE wholesaler_id = $1`,
    [wholesalerId],
  );
  expect(lines).toEqual(statements);
  const wrong = await transactions.rows(
    `SELECT number FROM (
       SELECT s.*, row_number() OVER w AS place, lag(period_to) OVER w AS before,
              (SELECT ${HASH_OF_LINES} FROM settlement_lines WHERE statement_id = s.id) AS hash
         FROM statements s WHERE wholesaler_id = $1 WINDOW w AS (ORDER BY number)) s
      WHERE number <> place OR period_from <> before OR sha256 <> hash`,
    [wholesalerId],
  );
  expect(wrong).toEqual([]);
  const [head] = await transactions.rows(
    `SELECT last_number = (SELECT max(number) FROM statements WHERE wholesaler_id = $1) AS "isLast",
            closed_until >= (SELECT max(period_to) FROM statements WHERE wholesaler_id = $1)
              AS "isAsLate"
       FROM settlement_heads WHERE wholesaler_id = $1`,
    [wholesalerId],
  );
  expect(head).toEqual({ isLast: true, isAsLate: true });
});
