import { setTimeout as sleep } from 'node:timers/promises';
import { deliver, startNotifier, messageRow, type Notifier } from './support/notifier';

const MESSAGES = 10;
/** Time for all claims to reach the database, and less than it lets one wait. */
const ARRIVAL_MS = 500;

let notifier: Notifier;

beforeAll(async () => {
  notifier = await startNotifier();
});
afterAll(() => notifier.stop());

test('messages that wait for the same claim are claimed at once', async () => {
  const runner = notifier.context.db.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT pg_advisory_xact_lock($1)', [0x534d5343]);

  const delivered = Promise.all(Array.from({ length: MESSAGES }, () => deliver(notifier)));
  await sleep(ARRIVAL_MS);
  const [waiting] = await notifier.rows<{ claims: number }>(
    `SELECT count(*)::int AS claims FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted AND objid = $1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [0x534d5343],
  );
  await runner.rollbackTransaction();
  await runner.release();

  // One of the jobs, and one of the message sender's own round.
  expect(waiting?.claims).toBeGreaterThan(0);
  expect(waiting?.claims).toBeLessThanOrEqual(2);
  for (const id of await delivered) {
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'sent', attempts: 1 });
  }
});
