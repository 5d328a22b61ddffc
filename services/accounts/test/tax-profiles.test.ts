import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { TAX_PROFILE_PURPOSE } from '@fiado/contracts/tax-profile';
import {
  type Accounts,
  createCustomer,
  createWholesaler,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';

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

const PROFILE = {
  rfc: 'LULU800101AB1',
  legalName: 'GUADALUPE LUNA LUNA',
  taxRegime: '626',
  postalCode: '06000',
  cfdiUse: 'G01',
  email: 'lupita@tienda.example',
};

const call = (method: 'GET' | 'PUT' | 'DELETE', body?: object, by = wholesalerId) =>
  accounts.call(
    wholesaler(by),
    method,
    `/v1/account/${customer.userId}/tax-profile`,
    body && { body },
  );
const callOps = (method: 'GET' | 'PUT' | 'DELETE', body?: object) =>
  accounts.call(
    ops('operator'),
    method,
    `/v1/admin/corner-stores/${customer.cornerStoreId}/tax-profile`,
    body && { body },
  );

/** What transactions gets. */
async function profile(): Promise<unknown> {
  const { body } = await accounts.call(service('transactions'), 'POST', '/internal/tax-profile', {
    body: { userId: customer.userId },
  });
  if (body.taxProfileSealed === null) return null;
  const sealed = Buffer.from(body.taxProfileSealed, 'base64');
  return JSON.parse(
    accounts.context.sealer.open(sealed, TAX_PROFILE_PURPOSE, customer.userId),
  ) as unknown;
}

it('is set by a wholesaler of the user and by ops, kept sealed, and shown to nobody', async () => {
  expect((await call('GET')).body).toEqual({ hasTaxProfile: false });
  expect(await profile()).toBeNull();
  const set = await call('PUT', PROFILE);
  expect([set.status, set.body]).toEqual([200, { success: true }]);
  expect(await profile()).toEqual(PROFILE);
  expect((await call('GET')).body).toEqual({ hasTaxProfile: true });
  expect((await callOps('GET')).body).toEqual({ hasTaxProfile: true });
  const [row] = await accounts.rows<{ text: string }>(
    'SELECT users::text AS text FROM users WHERE id = $1',
    [customer.userId],
  );
  expect(row?.text).not.toMatch(/LULU|lupita/);

  expect((await callOps('PUT', { ...PROFILE, cfdiUse: 'G03' })).status).toBe(200);
  expect(await profile()).toEqual({ ...PROFILE, cfdiUse: 'G03' });
  expect((await call('DELETE')).status).toBe(204);
  expect(await profile()).toBeNull();
  expect((await callOps('DELETE')).status).toBe(204);
  const audit = await accounts.rows<{ action: string }>(
    `SELECT action FROM audit_log WHERE object_id = $1 AND action LIKE 'tax-profile%' ORDER BY id`,
    [customer.userId],
  );
  expect(audit.map(({ action }) => action)).toEqual([
    'tax-profile.set',
    'tax-profile.set',
    'tax-profile.removed',
    'tax-profile.removed',
  ]);
});

it('is refused as the tax authority would, and for the user of another wholesaler', async () => {
  const refused = await call('PUT', { ...PROFILE, taxRegime: '601', postalCode: '6000' });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    [
      expect.stringMatching(/^taxRegime of a person must be one of 605, /),
      expect.stringMatching(/^postalCode must be the five digits/),
    ],
  ]);
  expect((await call('PUT', { rfc: 'LULU800101AB1' })).status).toBe(400);
  const { wholesalerId: other } = await createWholesaler(accounts);
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? PROFILE : undefined;
    expect((await call(method, body, other)).body.errorCode).toBe('USER_NOT_FOUND');
  }
  expect((await call('GET')).body).toEqual({ hasTaxProfile: false });
});
