import { putDataKeys } from '@fiado/chassis/keys/data-key-rows';
import type { DataKey } from '@fiado/chassis/keys/data-keys';
import { sealPages } from '@fiado/chassis/keys/reseal';
import { ops } from '@fiado/chassis/testing/callers';
import { sealedColumns } from '@fiado/chassis/testing/sealed-columns';
import { SEALED_TABLES } from '../src/db/sealed-columns';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { lastCode } from './support/sms';
import { verificationOf } from './support/verification';

let accounts: Accounts;
let wholesalerId: string;
let customer: Customer;
beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
beforeEach(async () => {
  customer = await createCustomer(accounts, wholesalerId);
});
afterAll(() => accounts.stop());

const customersPath = () => `/v1/admin/corner-stores?wholesalerId=${wholesalerId}`;

async function shown(): Promise<object> {
  const { body } = await accounts.call(ops(), 'GET', customersPath());
  return body.cornerStores.find(
    (store: { userId: string }) => store.userId === customer.userId,
  ) as object;
}

/** Another key seals, and the loop has read all rows. */
async function reseal(number: number): Promise<void> {
  const { db, dataKeys } = accounts.context;
  const secret = Buffer.alloc(32, number);
  const key: DataKey = { kind: 'seal', number, secret, isSealing: true };
  await putDataKeys(db, [{ ...key, wrapped: dataKeys.wrapping.wrap(key) }]);
  await accounts.rows(`UPDATE data_keys SET sealing_from = now() - interval '1 hour'`);
  await dataKeys.refresh();
  while (await sealPages({ ...accounts.context, tables: SEALED_TABLES }));
}

it('values of an older key are sealed with the newest by the loop, and shown as before', async () => {
  const before = await shown();
  expect(before).toMatchObject({ phoneNumber: customer.phoneNumber });
  await reseal(1);
  expect(await shown()).toEqual(before);

  const { sealer } = accounts.context;
  const [user] = await accounts.rows('SELECT * FROM users WHERE id = $1', [customer.userId]);
  for (const [column, purpose, rowId] of [
    ['first_name', 'first-name', customer.userId],
    ['phone', 'phone', customer.cornerStoreId],
  ] as const) {
    expect(sealer.reseal(user?.[column], purpose, rowId)).toBeUndefined();
    expect(() => sealer.open(user?.[column], purpose, 'another row')).toThrow();
  }
});

it('the phone of a verification of an older key becomes the user’s', async () => {
  const calls = verificationOf(accounts, wholesalerId, customer);
  const phoneNumber = '+525587654321';
  const verificationId = await calls.started({ phoneNumber });
  await reseal(2);
  const code = await lastCode(accounts, customer.userId);
  expect((await calls.confirm(verificationId, { code })).status).toBe(200);
  expect(await shown()).toMatchObject({ phoneNumber });
});

it('a value of another user does not open', async () => {
  const other = await createCustomer(accounts, wholesalerId);
  await accounts.rows(
    'UPDATE users SET first_name = (SELECT first_name FROM users WHERE id = $2) WHERE id = $1',
    [other.userId, customer.userId],
  );
  expect((await accounts.call(ops(), 'GET', customersPath())).status).toBe(500);
});

it('the list of sealed values has every sealed column of the schema', async () => {
  const { inSchema, inList } = await sealedColumns(accounts, SEALED_TABLES);
  expect(inList).toEqual(inSchema);
});
