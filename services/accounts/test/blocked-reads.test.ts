import { ops } from '@fiado/chassis/testing/callers';
import { type Answer, tokenHeader } from '@fiado/chassis/testing/call';
import type { OpsScope } from '@fiado/contracts/caller';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { createVerification, documentOf, takeStep } from './support/onboarding';

/** Reads of a store whose owner had their data blocked. */
describe('a blocked corner store', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
    customer = await createCustomer(accounts, wholesalerId, { firstName: 'Xóchitl' });
    const verificationId = await createVerification(accounts, wholesalerId, customer);
    const ids = { userId: customer.userId, verificationId };
    const body = { step: 'SELFIE_IMAGE', document: await documentOf('jpeg') };
    const taken = await takeStep(accounts, wholesalerId, ids, { body });
    expect(taken.status).toBe(200);
    await accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
      customer.cornerStoreId,
    ]);
  });
  afterAll(() => accounts.stop());

  const read = (scope: OpsScope, more = ''): Promise<Answer> =>
    accounts.call(ops(scope), 'GET', `/v1/admin/corner-stores/${customer.cornerStoreId}${more}`);
  const viewsWith = (reason: string): Promise<object[]> =>
    accounts.rows(
      `SELECT FROM audit_log WHERE object_id = $1 AND action = 'corner-store.viewed'
          AND details ->> 'reason' = $2`,
      [customer.cornerStoreId, reason],
    );

  it('shows initials to everybody, and the data to an approver with a reason, which is audited', async () => {
    for (const scope of ['viewer', 'operator', 'approver', 'admin'] as const) {
      const { status, body } = await read(scope);
      expect([scope, status, body.cornerStore.firstName]).toEqual([scope, 200, 'X.']);
      expect(body.cornerStore.phoneNumber).not.toBe(customer.phoneNumber);
      expect(body.cornerStore.blockedAt).toEqual(expect.any(String));
    }
    expect(await viewsWith('claim')).toEqual([]);
    const { body } = await read('approver', '?reason=claim');
    expect(body.cornerStore).toMatchObject({
      firstName: 'Xóchitl',
      phoneNumber: customer.phoneNumber,
    });
    expect(await viewsWith('claim')).toHaveLength(1);
    const list = `/v1/admin/corner-stores?cornerStoreIds=${customer.cornerStoreId}`;
    const listed = await accounts.call(ops(), 'GET', list);
    expect(listed.body.cornerStores).toMatchObject([{ firstName: 'X.' }]);
  });

  it('a reason that is not of the list is refused, and one of a viewer or an operator', async () => {
    expect((await read('approver', '?reason=curiosity')).status).toBe(400);
    for (const scope of ['viewer', 'operator'] as const) {
      const { status, body } = await read(scope, '?reason=claim');
      expect([scope, status, body.errorCode]).toEqual([scope, 403, 'FORBIDDEN']);
    }
  });

  it('its images need an approver and a reason', async () => {
    expect((await read('viewer', '/documents')).status).toBe(403);
    expect((await read('operator', '/documents?reason=claim')).status).toBe(403);
    for (const scope of ['operator', 'approver'] as const) {
      const { body } = await read(scope, '/documents');
      expect([scope, body.errorCode]).toEqual([scope, 'CORNER_STORE_IS_BLOCKED']);
    }
    const { documents } = (await read('approver', '/documents?reason=authority')).body;
    expect(documents).toHaveLength(1);
    const image = `/documents/${documents[0].documentId}`;
    expect((await read('approver', image)).body.errorCode).toBe('CORNER_STORE_IS_BLOCKED');
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}${image}?reason=authority`;
    const headers = await tokenHeader('accounts', ops('approver'));
    expect((await fetch(`${accounts.url}${path}`, { headers })).status).toBe(200);
  });
});
