import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { forAllTests } from '../../../test/support/for-all-tests';
import { oweNewestDebts, writeManyDebts, writePaidDebts } from './support/many-debts';
import { startPayments } from './support/service';

const DEBTS = 20_000;
/** Debts of four days, which are not due. */
const OWED = 100;
/** The open debts of a store, and the way to them in an index: about 150. Those of the others are thousands. */
const FEW_PAGES = 300;
const STORE = { cornerStoreId: randomUUID(), userId: randomUUID() };
const OTHER = { cornerStoreId: randomUUID(), userId: randomUUID() };

const payments = forAllTests(startPayments);
beforeAll(async () => {
  await writePaidDebts(payments, STORE, DEBTS);
  await oweNewestDebts(payments, STORE, OWED);
  await writeManyDebts(payments, OTHER, DEBTS);
  await oweNewestDebts(payments, OTHER, DEBTS / 2);
});

it.each([
  ['overdue', 0],
  ['pending', 5],
])('%s debts of a store cost the same, however much others owe', async (status, count) => {
  const { context, ownerUrl } = payments;
  const path = `/v1/admin/receivables?limit=5&cornerStoreId=${STORE.cornerStoreId}&status=${status}`;
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    const { body } = await payments.call(ops('viewer'), 'GET', path);
    expect(body.receivables).toHaveLength(count);
  });
  expect(pages).toBeLessThan(FEW_PAGES);
});
