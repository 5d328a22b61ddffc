import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import type { Caller } from '@fiado/contracts/caller';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { callerOf, refusal, signedIn } from './support/staff';

let accounts: Accounts;
let customer: Customer;
let viewer: Caller;

beforeAll(async () => {
  const started = await startAccountsWithWholesaler();
  ({ accounts } = started);
  customer = await createCustomer(accounts, started.wholesalerId);
});
beforeEach(async () => {
  const { session } = await signedIn(accounts, 'viewer');
  viewer = await callerOf(accounts, session.sessionToken);
});
afterAll(() => accounts.stop());

function reveal(
  by: Caller,
  { reason = 'payment', id = customer.cornerStoreId }: { reason?: string; id?: string } = {},
): Promise<Answer> {
  const path = `/v1/admin/corner-stores/${id}/reveal-phone`;
  return accounts.call(by, 'POST', path, { body: { reason } });
}

it('a person who sees masked phones gets one with a reason, which the audit log has', async () => {
  const { status, body } = await reveal(viewer);
  expect([status, body]).toEqual([200, { phoneNumber: customer.phoneNumber }]);
  const audited = await accounts.rows(
    `SELECT object_id, details FROM audit_log WHERE actor_id = $1 AND action = 'phone.revealed'`,
    [viewer.id],
  );
  expect(audited).toEqual([{ object_id: customer.cornerStoreId, details: { reason: 'payment' } }]);
});

it('is refused for a key, another reason, a store that does not exist and one that is blocked', async () => {
  expect(refusal(await reveal(ops('viewer', 'reporting')))).toEqual([403, 'FORBIDDEN']);
  expect((await reveal(viewer, { reason: 'Ana owes us' })).status).toBe(400);
  expect(refusal(await reveal(viewer, { id: randomUUID() }))).toEqual([
    404,
    'CORNER_STORE_NOT_FOUND',
  ]);
  const setBlocked = (value: string) =>
    accounts.rows(`UPDATE corner_stores SET blocked_at = ${value} WHERE id = $1`, [
      customer.cornerStoreId,
    ]);
  await setBlocked('now()');
  expect(refusal(await reveal(viewer))).toEqual([409, 'CORNER_STORE_IS_BLOCKED']);
  await setBlocked('NULL');
});

it('a person gets 30 in 24 hours, however many they ask for at once', async () => {
  await accounts.rows(
    `INSERT INTO audit_log (id, occurred_at, actor_kind, actor_id, action, details)
     SELECT gen_random_uuid(), now() - interval '23 hours', 'ops', $1, 'phone.revealed', '{}'::jsonb
       FROM generate_series(1, 28)
     UNION ALL
     SELECT gen_random_uuid(), now() - interval '25 hours', 'ops', $1, 'phone.revealed', '{}'::jsonb`,
    [viewer.id],
  );
  const answers = await inFlight(Array.from({ length: 6 }, () => () => reveal(viewer)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(refusal(await reveal(viewer))).toEqual([429, 'TOO_MANY_REVEALS']);
});
