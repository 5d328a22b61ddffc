import type { CornerStoreSnapshot } from '@fiado/contracts/corner-store';
import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  createCustomer,
  createWholesaler,
  startAccounts,
  publishedSnapshots,
} from './support/accounts';

describe('snapshots', () => {
  const accounts = forAllTests(startAccounts);

  it('are shown to the wholesaler, for its own customers only', async () => {
    const mine = await createWholesaler(accounts);
    const theirs = await createWholesaler(accounts);
    const [a, b] = [
      await createCustomer(accounts, mine.wholesalerId),
      await createCustomer(accounts, mine.wholesalerId),
    ];
    const foreign = await createCustomer(accounts, theirs.wholesalerId);

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
    const [event] = await publishedSnapshots(accounts, a.cornerStoreId);
    const snapshot = body.cornerStores.find(
      (one: { snapshot: CornerStoreSnapshot }) => one.snapshot.cornerStoreId === a.cornerStoreId,
    );
    expect(snapshot).toEqual({ version: 1, snapshot: event });
  });

  it('are empty for an unknown wholesaler', async () => {
    const customer = await createCustomer(
      accounts,
      (await createWholesaler(accounts)).wholesalerId,
    );
    const { body } = await accounts.call(service('transactions'), 'POST', '/internal/snapshots', {
      body: {
        wholesalerId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
        cornerStoreIds: [customer.cornerStoreId],
      },
    });
    expect(body).toEqual({ wholesaler: null, cornerStores: [] });
  });
});
