import { randomUUID } from 'node:crypto';
import { Transaction } from '@fiado/chassis/db/database';
import { checkNextRange } from '@fiado/chassis/invariants/scans';
import { ops } from '@fiado/chassis/testing/callers';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { scansOf } from '../src/ops/invariants';
import { deliver, startNotifier, startNotifierWithTwilio, type Notifier } from './support/notifier';

const PATH = '/v1/admin/invariants/notifier';

let twilio: TwilioStandIn;
let notifier: Notifier;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio());
});
afterAll(() => notifier.stop());

/** Names of the facts that do not hold, with the first row at fault. */
async function broken(): Promise<Array<[string, unknown]>> {
  const { status, body } = await notifier.call(ops(), 'GET', PATH);
  expect(status).toBe(200);
  expect(body.service).toBe('notifier');
  return body.checks
    .filter((check: { holds: boolean }) => !check.holds)
    .map((check: { name: string; violations: unknown[] }) => [check.name, check.violations[0]]);
}

test('all holds after messages were sent and refused', async () => {
  twilio.behaviours = ['accept', { refuse: 400, code: 21211 }, 'accept-then-500'];
  for (let count = 0; count < 3; count += 1) await deliver(notifier);
  expect(await broken()).toEqual([]);
});

test('an overdue message is reported, unless it is beyond its wholesaler’s limit', async () => {
  const [late, behindCap, wholesalerId] = [randomUUID(), randomUUID(), randomUUID()];
  // Rolled back: the sender never sees them.
  const connection = await notifier.context.db.connection.connect();
  await connection.query('BEGIN');
  await connection.query(
    `INSERT INTO messages (id, template, wholesaler_id, subject_id, phone_index, phone_masked,
                           expires_at, next_attempt_at)
     SELECT id, 'order-code', wholesaler_id, id, 'p', '***', now() + interval '1 hour',
            now() - interval '5 minutes'
       FROM (VALUES ($1::uuid, NULL), ($2::uuid, $3::uuid)) AS message (id, wholesaler_id)`,
    [late, behindCap, wholesalerId],
  );
  await connection.query(
    `INSERT INTO claims_of_minute (wholesaler_id, minute, claimed, full_minute)
     VALUES ($1, date_trunc('minute', now()), 300, date_trunc('minute', now()))`,
    [wholesalerId],
  );
  const tx = new Transaction(connection, notifier.context.db);
  const all = { from: undefined, since: undefined, limit: 100 };
  const { checks } = await checkNextRange(tx, scansOf({ wiped: true }), all);
  await connection.query('ROLLBACK');
  connection.release();
  expect(checks.filter(({ holds }) => !holds).map(({ violations }) => violations)).toEqual([
    [{ messageId: late, nextAttemptAt: expect.any(Date) }],
  ]);
});

test('a sandbox keeps its messages readable, and nothing is at fault', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const sandbox = await startNotifier();
  await deliver(sandbox);
  const { body } = await sandbox.call(ops(), 'GET', PATH);
  expect(body.checks.every((check: { holds: boolean }) => check.holds)).toBe(true);
  await sandbox.stop();
  jest.restoreAllMocks();
});
