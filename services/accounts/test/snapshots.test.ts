import type { CornerStoreSnapshot } from '@fiado/shared/contracts/corner-store';
import { service } from '@fiado/shared/testing/callers';
import { newCustomer, newWholesaler, startAccounts, type Accounts } from './support/accounts';

describe('snapshots', () => {
  let accounts: Accounts;

  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.stop());

  async function eventsOf(cornerStoreId: string): Promise<CornerStoreSnapshot[]> {
    const rows = await accounts.outbox('corner-store.changed');
    return rows
      .filter((row) => row.aggregate_id === cornerStoreId)
      .map((row) => row.data as CornerStoreSnapshot);
  }

  it('are shown to the wholesaler, for its own customers only', async () => {
    const mine = await newWholesaler(accounts);
    const theirs = await newWholesaler(accounts);
    const [a, b] = [
      await newCustomer(accounts, mine.wholesalerId),
      await newCustomer(accounts, mine.wholesalerId),
    ];
    const foreign = await newCustomer(accounts, theirs.wholesalerId);

    const { body } = await accounts.call(service('transactions'), 'POST', '/internal/snapshots', {
      body: {
        wholesalerId: mine.wholesalerId,
        cornerStoreIds: [a.cornerStoreId, foreign.cornerStoreId],
        externalId: b.externalId,
      },
    });
    expect(body.wholesaler).toMatchObject({
      version: 1,
      snapshot: { wholesalerId: mine.wholesalerId, minimumTransactionCents: 10_000 },
    });
    const ids = body.cornerStores.map(
      (one: { snapshot: CornerStoreSnapshot }) => one.snapshot.cornerStoreId,
    );
    expect(ids.sort()).toEqual([a.cornerStoreId, b.cornerStoreId].sort());
    const [event] = await eventsOf(a.cornerStoreId);
    const snapshot = body.cornerStores.find(
      (one: { snapshot: CornerStoreSnapshot }) => one.snapshot.cornerStoreId === a.cornerStoreId,
    );
    expect(snapshot).toEqual({ version: 1, snapshot: event });
  });

  it('are empty for an unknown wholesaler', async () => {
    const customer = await newCustomer(accounts, (await newWholesaler(accounts)).wholesalerId);
    const { body } = await accounts.call(service('transactions'), 'POST', '/internal/snapshots', {
      body: {
        wholesalerId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
        cornerStoreIds: [customer.cornerStoreId],
      },
    });
    expect(body).toEqual({ wholesaler: null, cornerStores: [] });
  });
});
