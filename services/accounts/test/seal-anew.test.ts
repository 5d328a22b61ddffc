import { sealPages } from '@fiado/chassis/keys/reseal';
import { ops } from '@fiado/chassis/testing/callers';
import { createTestSealer, sealedColumns } from '@fiado/chassis/testing/sealed-columns';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { SEALED_TABLES } from '../src/db/sealed-columns';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccounts,
  startAccountsWithWholesaler,
} from './support/accounts';
import { lastCode } from './support/sms';
import { verificationOf } from './support/verification';

/** Seals as the previous release, whose values are not bound to their rows. */
const before = createTestSealer(TEST_ENVIRONMENT.ENCRYPTION_KEY, { bind: false });

describe('values that the previous release sealed', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    await accounts.rows(
      `UPDATE users SET first_name = $2, last_names = $3, phone = $4, latitude = $5 WHERE id = $1`,
      [
        customer.userId,
        before.seal('Ana', 'first-name', ''),
        before.seal('Ruiz', 'last-names', ''),
        before.seal(customer.phoneNumber, 'phone', ''),
        before.seal('19.4326', 'latitude', ''),
      ],
    );
    await accounts.rows('UPDATE corner_stores SET name = $2 WHERE id = $1', [
      customer.cornerStoreId,
      before.seal('La Esquina', 'corner-store-name', ''),
    ]);
  });
  afterAll(() => accounts.stop());

  async function shown(): Promise<object> {
    const path = `/v1/admin/corner-stores?wholesalerId=${wholesalerId}`;
    const { body } = await accounts.call(ops(), 'GET', path);
    return body.cornerStores.find(
      (store: { userId: string }) => store.userId === customer.userId,
    ) as object;
  }

  async function bind(): Promise<void> {
    await accounts.rows(
      `UPDATE data_keys SET sealing_from = now() - interval '1 hour' WHERE kind = 'seal'`,
    );
    await accounts.rows('DELETE FROM sealed_tables');
    await sealPages({ ...accounts.context, tables: SEALED_TABLES });
  }

  it('are shown, bound to their rows by the loop, and shown as before', async () => {
    const told = await shown();
    expect(told).toMatchObject({
      firstName: 'Ana',
      lastNames: 'Ruiz',
      phoneNumber: customer.phoneNumber,
      cornerStoreName: 'La Esquina',
    });
    await bind();
    expect(await shown()).toEqual(told);

    const { sealer } = accounts.context;
    const [user] = await accounts.rows('SELECT * FROM users WHERE id = $1', [customer.userId]);
    for (const [column, purpose, rowId] of [
      ['first_name', 'first-name', customer.userId],
      ['phone', 'phone', customer.cornerStoreId],
      ['latitude', 'latitude', customer.userId],
    ] as const) {
      expect(sealer.reseal(user?.[column], purpose, rowId)).toBeUndefined();
      expect(() => sealer.open(user?.[column], purpose, 'another row')).toThrow();
    }
  });

  it('and the phone of a verification becomes the user’s', async () => {
    const calls = verificationOf(accounts, wholesalerId, customer);
    const phoneNumber = '+525587654321';
    const verificationId = await calls.started({ phoneNumber });
    await accounts.rows('UPDATE verifications SET phone = $2 WHERE id = $1', [
      verificationId,
      before.seal(phoneNumber, 'phone', ''),
    ]);
    await bind();
    const code = await lastCode(accounts, customer.userId);
    expect((await calls.confirm(verificationId, { code })).status).toBe(200);
    expect(await shown()).toMatchObject({ phoneNumber });
  });

  it('of another user do not open once they are bound', async () => {
    await bind();
    const other = await createCustomer(accounts, wholesalerId);
    await accounts.rows(
      'UPDATE users SET first_name = (SELECT first_name FROM users WHERE id = $2) WHERE id = $1',
      [other.userId, customer.userId],
    );
    const path = `/v1/admin/corner-stores?wholesalerId=${wholesalerId}`;
    expect((await accounts.call(ops(), 'GET', path)).status).toBe(500);
  });
});

it('the list of sealed values has every sealed column of the schema', async () => {
  const accounts = await startAccounts();
  const { inSchema, inList } = await sealedColumns(accounts, SEALED_TABLES);
  expect(inList).toEqual(inSchema);
  await accounts.stop();
});
