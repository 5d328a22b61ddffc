import { service } from '@fiado/chassis/testing/callers';
import { PURPOSE } from '../src/db/purposes';
import { createCustomer, startAccountsWithWholesaler, type Accounts } from './support/accounts';

let accounts: Accounts;
let wholesalerId: string;
beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
afterAll(() => accounts.stop());

it('the notifier alone learns which store has a phone', async () => {
  const { cornerStoreId, phoneNumber } = await createCustomer(accounts, wholesalerId);
  const [phoneIndex, unknown] = [phoneNumber, '+525500000000'].map((phone) =>
    accounts.context.sealer.blindIndex(phone, PURPOSE.phone).toString('base64'),
  );
  const ask = (by = service('notifier')) =>
    accounts.call(by, 'POST', '/internal/stores-of-phones', {
      body: { phoneIndexes: [phoneIndex, unknown] },
    });
  const { status, body } = await ask();
  expect([status, body]).toEqual([200, { stores: [{ phoneIndex, cornerStoreId }] }]);
  expect((await ask(service('payments'))).status).not.toBe(200);
});
