import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deliverOverdue, detect, payFor, reverse } from './support/defaults';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

function sums(search = ''): Promise<Answer> {
  return payments.call(ops(), 'GET', `/v1/admin/invariants/payments/corner-stores${search}`);
}

describe('GET /admin/invariants/payments', () => {
  beforeAll(async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    await payFor(payments, order, 1200);
    const next = delivery({ userId: order.userId, cornerStoreId: order.cornerStoreId });
    await deliverTransaction(payments, next);
    await reverse(payments, await payFor(payments, next, 2000));
    const third = delivery();
    await deliverTransaction(payments, third);
    const depositId = await payFor(payments, third, 1558);
    for (const amount of [200, 100]) {
      const path = `/v1/admin/corner-stores/${third.cornerStoreId}/payouts`;
      const body = { amount, bankReference: `SPEI ${amount}`, reason: 'saldo' };
      await payments.call(ops(), 'POST', path, { body });
    }
    await reverse(payments, depositId);
    await payFor(payments, third, 1058 + 50);
    await deposit(payments, {});
    await deliverOverdue(payments);
    await detect(payments);
  });

  it('all hold after deposits, a surplus, a reversal and a default', async () => {
    const { status, body } = await payments.call(ops(), 'GET', '/v1/admin/invariants/payments');
    expect(status).toBe(200);
    expect(body.service).toBe('payments');
    expect(body.checks.length).toBeGreaterThan(15);
    for (const check of body.checks) {
      expect(check).toEqual({ name: expect.any(String), holds: true, violations: [] });
    }
  });

  it('the sums of each corner store, paged in the order of the ids', async () => {
    const stores = [delivery(), delivery(), delivery()];
    for (const order of stores) await deliverTransaction(payments, order);
    const [first] = stores;
    if (first === undefined) throw new Error('There are three');
    await payFor(payments, first, 100);

    const all = (await sums()).body.cornerStores;
    expect(all).toContainEqual({
      cornerStoreId: first.cornerStoreId,
      userId: first.userId,
      owedPrincipalCents: 100_000 - (10_000 - 5_800),
      overdueCount: 0,
      overdueVersion: 0,
      debts: 1,
      debtsDigest: expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(all.map(({ overdueCount }: { overdueCount: number }) => overdueCount)).toContain(1);

    expect(await rowsOfAll('cornerStores', (cursor) => sums(`?limit=2${cursor}`))).toEqual(all);
  });

  it('refuses a bad page', async () => {
    for (const search of ['?limit=0', '?limit=1001', '?limit=x', '?cursor=1', '?since=x']) {
      expect((await sums(search)).status).toBe(400);
    }
  });
});
