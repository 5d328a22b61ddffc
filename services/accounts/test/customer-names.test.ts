import { randomUUID } from 'node:crypto';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { createCustomer, startAccountsWithWholesaler, type Accounts } from './support/accounts';

describe('POST /internal/customer-names', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  afterAll(() => accounts.stop());

  const ask = (body: object, by = service('payments')) =>
    accounts.call(by, 'POST', '/internal/customer-names', { body });

  it('answers names of stores and wholesalers, with the ids that these wholesalers give the stores', async () => {
    const { cornerStoreId, externalId } = await createCustomer(accounts, wholesalerId, {
      firstName: 'Lucía',
      lastNames: 'Ortega',
    });
    const asked = { cornerStoreIds: [cornerStoreId, randomUUID()], wholesalerIds: [wholesalerId] };
    const { status, body } = await ask(asked);
    expect(status).toBe(200);
    expect(body).toEqual({
      cornerStores: { [cornerStoreId]: 'Lucía Ortega' },
      customers: [{ wholesalerId, cornerStoreId, externalId }],
      wholesalers: { [wholesalerId]: expect.any(String) },
    });
    expect((await ask({ ...asked, wholesalerIds: [] })).body).toMatchObject({
      customers: [],
      wholesalers: {},
    });
  });

  it('names no store that is blocked', async () => {
    const { cornerStoreId } = await createCustomer(accounts, wholesalerId);
    await accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
      cornerStoreId,
    ]);
    const { body } = await ask({
      cornerStoreIds: [cornerStoreId],
      wholesalerIds: [wholesalerId],
    });
    expect([body.cornerStores, body.customers]).toEqual([{}, []]);
  });

  it('answers only the services that make files', async () => {
    const body = { cornerStoreIds: [], wholesalerIds: [] };
    expect((await ask(body, service('transactions'))).status).toBe(200);
    for (const caller of [service('notifier'), service('gateway'), wholesaler(wholesalerId)]) {
      expect((await ask(body, caller)).status).toBe(403);
    }
  });
});
