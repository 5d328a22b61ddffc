import { randomUUID } from 'node:crypto';
import { defaultsChanged } from '@fiado/contracts/jobs/debts';
import { ops } from '@fiado/chassis/testing/callers';
import {
  approve,
  createCustomer,
  createWholesaler,
  startAccounts,
  type Accounts,
  type Customer,
} from './support/accounts';

describe('defaults.changed', () => {
  let accounts: Accounts;
  let customer: Customer;

  beforeAll(async () => {
    accounts = await startAccounts();
  });
  beforeEach(async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    customer = await createCustomer(accounts, wholesalerId);
    await approve(accounts, customer.cornerStoreId);
  });
  afterAll(() => accounts.stop());

  function deliverDefaults(
    version: number,
    overdueCount: number,
    messageId?: string,
  ): Promise<void> {
    const { cornerStoreId } = customer;
    const oldestDueAt = overdueCount === 0 ? null : '2026-11-01T05:59:59.999Z';
    const data = { cornerStoreId, overdueCount, oldestDueAt, opened: [], closed: [] };
    return accounts.handle(defaultsChanged, { id: cornerStoreId, version }, data, messageId);
  }

  async function shown(): Promise<unknown> {
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}`;
    return (await accounts.call(ops(), 'PUT', path, { body: {} })).body.status;
  }

  it('shows an approved store as in default while something is overdue', async () => {
    const before = await accounts.outbox('corner-store.changed');
    await deliverDefaults(1, 2);
    expect(await shown()).toBe('in-payment-default');
    await deliverDefaults(2, 0);
    expect(await shown()).toBe('approved');
    expect(await accounts.outbox('corner-store.changed')).toHaveLength(before.length);
  });

  it('an older version that arrives late changes nothing', async () => {
    await deliverDefaults(3, 0);
    await deliverDefaults(2, 1);
    expect(await shown()).toBe('approved');
  });

  it('a repeated message counts once', async () => {
    const messageId = randomUUID();
    await deliverDefaults(1, 1, messageId);
    await deliverDefaults(2, 0);
    await accounts.rows('UPDATE corner_stores SET overdue_version = 0 WHERE id = $1', [
      customer.cornerStoreId,
    ]);
    // A queue that lost its memory brings it again.
    await deliverDefaults(1, 1, messageId);
    expect(await shown()).toBe('approved');
  });

  it('a rejection and an approval keep the overdue status of payments', async () => {
    await deliverDefaults(1, 1);
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}/reject`;
    await accounts.call(ops(), 'POST', path, { body: { reason: 'x' } });
    expect(await shown()).toBe('pre-approved');
    await approve(accounts, customer.cornerStoreId);
    expect(await shown()).toBe('in-payment-default');
  });

  it('of an unknown store fails for good', async () => {
    customer = { ...customer, cornerStoreId: randomUUID() };
    await expect(deliverDefaults(1, 1)).rejects.toThrow('corner store does not exist');
  });
});
