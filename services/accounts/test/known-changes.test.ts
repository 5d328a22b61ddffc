import { randomUUID } from 'node:crypto';
import { service } from '@fiado/chassis/testing/callers';
import { knownChangesCall } from '@fiado/contracts/known-changes';
import { startAccountsWithWholesaler, type Accounts } from './support/accounts';
import { newStore, person, updateStore } from './support/change-requests';

let accounts: Accounts;
let wholesalerId: string;
beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
afterAll(() => accounts.stop());

const ask = (ids: string[], by: Parameters<typeof service>[0] = 'transactions') =>
  accounts.call(service(by), 'POST', knownChangesCall.path, { body: { ids, wholesalerIds: [] } });

it('tells transactions and payments who asked for a change and who decided, by its id and by its target', async () => {
  const storeId = await newStore(accounts, wholesalerId);
  const by = person();
  const { changeRequestId } = (await updateStore(accounts, by, storeId, { creditLimit: 90_000 }))
    .body;
  for (const id of [changeRequestId, storeId]) {
    const { body } = await ask([id], 'payments');
    expect(body.changes).toMatchObject([
      {
        changeRequestId,
        targetId: storeId,
        status: 'pending',
        requestedBy: by.id,
        decidedBy: null,
      },
    ]);
  }
  expect((await ask([randomUUID()])).body).toEqual({ changes: [], actions: [] });
  expect((await ask([storeId], 'notifier')).status).toBe(403);
});
