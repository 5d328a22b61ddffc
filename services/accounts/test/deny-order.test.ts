import { randomUUID } from 'node:crypto';
import { orderDenied } from '@fiado/contracts/jobs/disputes';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import {
  createCustomer,
  newPhone,
  type Accounts,
  startAccountsWithWholesaler,
} from './support/accounts';

let accounts: Accounts;
let wholesalerId: string;
beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
afterAll(() => accounts.stop());

it('tells transactions which store denies an order, and whose orders its phone may see', async () => {
  const { phoneNumber, cornerStoreId } = await createCustomer(accounts, wholesalerId);
  const deny = async (phone: string, changes: object = {}) => {
    const phoneIndex = accounts.context.sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64');
    const data = { phoneIndex, smsId: `SM${'a'.repeat(32)}`, ...changes };
    const aggregate = {
      id: randomUUID(),
      version: 1,
      occurredAt: new Date('2026-11-24T18:00:00Z'),
    };
    await accounts.handle(orderDenied, aggregate, data);
    return (await accounts.outbox('store.denies')).map(({ queue, data: told }) => [queue, told]);
  };
  const denial = {
    cornerStoreId,
    wholesalerIds: [wholesalerId],
    smsId: `SM${'a'.repeat(32)}`,
    saidAt: '2026-11-24T18:00:00.000Z',
  };
  expect(await deny(phoneNumber)).toEqual([['transactions', denial]]);
  expect(await deny(newPhone())).toHaveLength(1);
  expect(await deny(phoneNumber, { choice: 2 })).toEqual([
    ['transactions', denial],
    ['transactions', { ...denial, choice: 2 }],
  ]);
  await accounts.rows('UPDATE users SET phone_given_by = $1', [randomUUID()]);
  expect((await deny(phoneNumber)).at(-1)).toEqual([
    'transactions',
    { ...denial, wholesalerIds: [] },
  ]);
  await accounts.rows('UPDATE corner_stores SET blocked_at = now()');
  expect(await deny(phoneNumber)).toHaveLength(3);
});
