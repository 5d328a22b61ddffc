import { randomUUID } from 'node:crypto';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startAccounts } from './support/accounts';
import { callerOf, signedIn } from './support/staff';

describe('POST /internal/actor-names', () => {
  const accounts = forAllTests(startAccounts);

  const ask = (actorIds: string[], by = service('payments')) =>
    accounts.call(by, 'POST', '/internal/actor-names', { body: { actorIds } });

  it('names people and ops keys, and nobody else', async () => {
    const { session } = await signedIn(accounts, 'operator');
    const { id: staffId } = await callerOf(accounts, session.sessionToken);
    const { body: key } = await accounts.call(ops(), 'POST', '/v1/admin/ops-keys', {
      body: { name: 'ana', scope: 'viewer', expiresAt: new Date(Date.now() + 3_600_000) },
    });
    const [person] = await accounts.rows<{ name: string }>('SELECT name FROM staff WHERE id = $1', [
      staffId,
    ]);
    const { status, body } = await ask([staffId, key.opsKeyId, 'ops', randomUUID()]);
    expect([status, body]).toEqual([
      200,
      { names: { [staffId]: person?.name, [key.opsKeyId]: 'ana' } },
    ]);
  });

  it.each([
    ['transactions', service('transactions')],
    ['a wholesaler', wholesaler(randomUUID())],
  ])('does not answer %s', async (_, by) => {
    expect((await ask([], by)).status).toBe(403);
  });
});
