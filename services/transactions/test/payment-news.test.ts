import { randomUUID } from 'node:crypto';
import { defaultsChanged } from '@fiado/shared/contracts/jobs/defaults-changed';
import { paymentApplied } from '@fiado/shared/contracts/jobs/payment-applied';
import { paymentReversed } from '@fiado/shared/contracts/jobs/payment-reversed';
import { ops } from '@fiado/shared/testing/callers';
import { orderOnHold, startHouse, type House, type Shop } from './support/house';

/** Of MD5. */
const DIGEST = /^[\da-f]{32}$/;

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

async function delivered(shop: Shop): Promise<string> {
  const { transactionId } = await orderOnHold(house, shop);
  await house.call(shop.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount: 1000 },
  });
  return transactionId;
}

const receivable = randomUUID();
const applied = (shop: Shop, transactionId: string, version: number) =>
  house.deliver(
    paymentApplied,
    { id: receivable, version },
    {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: shop.cornerStoreId,
      principalCents: 100_000,
      outstandingCents: 0,
      outstandingPrincipalCents: 0,
      appliedAt: new Date().toISOString(),
    },
  );
const reversed = (shop: Shop, transactionId: string, version: number) =>
  house.deliver(
    paymentReversed,
    { id: receivable, version },
    {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: shop.cornerStoreId,
      principalCents: 100_000,
      outstandingCents: 105_800,
      outstandingPrincipalCents: 100_000,
      reversedAt: new Date().toISOString(),
    },
  );
const defaults = (shop: Shop, version: number, news: { opened?: string[]; closed?: string[] }) =>
  house.deliver(
    defaultsChanged,
    { id: shop.cornerStoreId, version },
    {
      cornerStoreId: shop.cornerStoreId,
      overdueCount: news.opened?.length ?? 0,
      oldestDueAt: null,
      opened: news.opened ?? [],
      closed: news.closed ?? [],
    },
  );

it('a reversed payment is in use again, and the transaction is no longer paid', async () => {
  const shop = await house.openShop({ store: { creditLimitCents: 100_000 } });
  const transactionId = await delivered(shop);
  await applied(shop, transactionId, 2);
  expect(await house.statusOf(shop, transactionId)).toBe('paid');
  expect((await house.order(shop)).status).toBe(201);

  await reversed(shop, transactionId, 3);

  expect(await house.statusOf(shop, transactionId)).toBe('delivery');
  // Beyond the limit: money that was taken back is a fact.
  expect(await house.usedCents(shop.cornerStoreId)).toBe(200_000);
  await house.checkLedger();
});

it('being overdue freezes the line and shows on the transaction until it is cleared', async () => {
  const shop = await house.openShop();
  const transactionId = await delivered(shop);

  await defaults(shop, 1, { opened: [transactionId] });
  expect(await house.statusOf(shop, transactionId)).toBe('in-payment-default');
  const frozen = await house.order(shop);
  expect([frozen.status, frozen.body.errorCode]).toEqual([422, 'USER_IS_IN_DEFAULT']);

  await defaults(shop, 2, { closed: [transactionId] });
  expect(await house.statusOf(shop, transactionId)).toBe('delivery');
  expect((await house.order(shop)).status).toBe(201);
});

it('ends in the same state in any order of events', async () => {
  const shop = await house.openShop();
  const orders = [
    ['applied', 'reversed', 'opened'],
    ['opened', 'applied', 'reversed'],
    ['reversed', 'opened', 'applied'],
    ['opened', 'reversed', 'applied'],
  ];
  // Before the first default freezes the line.
  const transactions: string[] = [];
  for (const _ of orders) transactions.push(await delivered(shop));
  let version = 10;
  for (const order of orders) {
    const transactionId = transactions[version - 10] ?? '';
    version += 1;
    for (const news of order) {
      if (news === 'applied') await applied(shop, transactionId, 2);
      if (news === 'reversed') await reversed(shop, transactionId, 3);
      if (news === 'opened') await defaults(shop, version, { opened: [transactionId] });
    }
    expect([order, await house.statusOf(shop, transactionId)]).toEqual([
      order,
      'in-payment-default',
    ]);
  }
  await house.checkLedger();
});

it('shows its invariants and its sums', async () => {
  const shop = await house.openShop();
  const transactionId = await delivered(shop);
  await house.order(shop);
  await applied(shop, transactionId, 2);
  const path = '/v1/admin/invariants/transactions';

  const report = await house.call(ops(), 'GET', path);
  const sums = await house.call(ops(), 'GET', `${path}/corner-stores?limit=1000`);

  expect(report.body.service).toBe('transactions');
  for (const check of report.body.checks) expect(check).toMatchObject({ holds: true });
  const line = sums.body.cornerStores.find(
    ({ cornerStoreId }: { cornerStoreId: string }) => cornerStoreId === shop.cornerStoreId,
  );
  expect(line).toEqual({
    cornerStoreId: shop.cornerStoreId,
    limitCents: 1_000_000,
    interestRate: '0.050000',
    status: 'approved',
    overdue: false,
    usedCents: 100_000,
    heldCents: 100_000,
    deliveredCents: 100_000,
    deliveredInterestCents: 5_000,
    deliveredIvaCents: 800,
    paidCount: 1,
    repaidCents: 100_000,
    customersDigest: expect.stringMatching(DIGEST),
    settingsDigest: expect.stringMatching(DIGEST),
  });

  await house.rows(
    'UPDATE credit_lines SET used_cents = used_cents + 1 WHERE corner_store_id = $1',
    [shop.cornerStoreId],
  );
  const broken = await house.call(ops(), 'GET', path);
  expect(broken.body.checks[0]).toEqual({
    name: expect.any(String),
    holds: false,
    violations: [expect.objectContaining({ corner_store_id: shop.cornerStoreId })],
  });
});

it('keeps the ledger append-only, for the service itself and for the owner', async () => {
  await expect(house.rows('UPDATE credit_entries SET amount_cents = 0')).rejects.toThrow(
    /permission denied/,
  );
  await expect(house.rows('DELETE FROM credit_entries')).rejects.toThrow(/permission denied/);
});
