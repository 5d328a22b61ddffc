import { service } from '@fiado/chassis/testing/callers';
import { startTransactions, type TransactionsService } from './support/transactions';

let transactions: TransactionsService;
beforeAll(async () => {
  transactions = await startTransactions();
});
afterAll(() => transactions.stop());

const figures = (since: string, name: 'accounts' | 'payments' = 'accounts') =>
  transactions.call(service(name), 'POST', '/internal/ops-figures', { body: { since } });

it('sums the orders of a day by hour, in a sample that is shared for a minute', async () => {
  const [one, other] = [
    await transactions.createCornerStore(),
    await transactions.createCornerStore(),
  ];
  for (const store of [one, other]) await transactions.order(store);
  const { body: early } = await transactions.order(one);
  await transactions.rows('UPDATE transactions SET created_at = $2 WHERE id = $1', [
    early.transactionId,
    '2026-03-02T08:30:00Z',
  ]);

  const { body } = await figures('2026-03-02T06:00:00.000Z');
  expect(body).toMatchObject({ orders: 3, amountCents: 300_000, deadJobs: 0 });
  expect(body.hours).toMatchObject([
    { startsAt: '2026-03-02T08:00:00.000Z', orders: 1, amountCents: 100_000 },
    { orders: 2, amountCents: 200_000 },
  ]);

  await transactions.order(other);
  expect((await figures('2026-03-02T06:00:00.000Z')).body).toEqual(body);
  // Another day is another sample.
  expect((await figures('2026-03-03T06:00:00.000Z')).body).toMatchObject({ orders: 3 });
});

it('answers accounts alone, and a day', async () => {
  expect((await figures('2026-03-02T06:00:00.000Z', 'payments')).status).toBe(403);
  expect((await figures('today')).status).toBe(400);
});
