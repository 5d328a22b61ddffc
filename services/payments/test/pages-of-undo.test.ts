import { randomUUID } from 'node:crypto';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { forAllTests } from '../../../test/support/for-all-tests';
import { writePaidDebts } from './support/many-debts';
import { payoutCalls, type StoreWithBalance } from './support/payouts';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const DEBTS = 20_000;
/** Of the debts and the rows of one deposit, with the way to each in some indexes. */
const FEW_PAGES = 200;
/** Of the way to an allocation in an index, and of the payments that are found. */
const PAGES_FOR_A_DEBT = 5;

const USER = { cornerStoreId: randomUUID(), userId: randomUUID() };

const payments = forAllTests(startPayments);
beforeAll(async () => {
  await writePaidDebts(payments, USER, DEBTS);
});

const { withBalance, undo, debtsOf } = payoutCalls(payments);

async function pagesOfUndo({ depositId }: StoreWithBalance): Promise<number> {
  const { context, ownerUrl } = payments;
  return pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    expect((await undo(depositId)).status).toBe(200);
  });
}

describe('a deposit is taken back from a user with many paid debts', () => {
  it('by its own rows', async () => {
    const store = await withBalance(500, USER);
    expect(await pagesOfUndo(store)).toBeLessThan(FEW_PAGES);
    expect(await debtsOf(store)).toMatchObject({ balance: 0 });
  });

  it('by a look at each debt, where a later debt has taken its surplus', async () => {
    const store = await withBalance(500, USER);
    await deliverTransaction(payments, delivery(USER));
    expect(await pagesOfUndo(store)).toBeLessThan(FEW_PAGES + PAGES_FOR_A_DEBT * DEBTS);
    expect(await debtsOf(store)).toMatchObject({ balance: 0, recovery: 0 });
  });
});
