import { randomUUID } from 'node:crypto';
import { transactionCredited } from '@fiado/contracts/jobs/debts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { brokenInvariants, detect, deliverOverdue, payFor } from './support/defaults';
import { payoutCalls } from './support/payouts';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

/** How far this process is behind its database, in milliseconds. */
const BEHIND_MS = 5_000;

const payments = forAllTests(() =>
  startPayments({
    clock: { now: () => new Date(Date.now() - BEHIND_MS) },
  }),
);

const { payOut, returned, undo, withBalance } = payoutCalls(payments);

/** Lowers a debt of 1,058 pesos to 0, as transactions tells it. */
async function creditAll(order: ReturnType<typeof delivery>): Promise<void> {
  const { transactionId, wholesalerId } = order;
  const parts = { principalCents: 100_000, interestCents: 5_000, ivaCents: 800 };
  const note = { creditNoteId: randomUUID(), transactionId, wholesalerId, ...parts };
  await payments.deliver(transactionCredited, { id: note.creditNoteId, version: 1 }, note);
}

it('no row is older than the one that it follows when the clock of a process is behind', async () => {
  const [paid, credited] = [delivery(), delivery()];
  await deliverTransaction(payments, paid);
  await payFor(payments, paid, 1058);
  await deliverTransaction(payments, credited);
  await creditAll(credited);
  const overdue = await deliverOverdue(payments);
  await detect(payments);
  await payFor(payments, overdue, 1058);
  const store = await withBalance(100);
  const { body: payout } = await payOut(store, 100);
  await undo(store.depositId);
  await returned(store, payout.payoutId);

  expect(await brokenInvariants(payments)).toEqual([]);
  const early = await payments.rows(
    `SELECT 'receivable' FROM receivables WHERE paid_at < opened_at
     UNION ALL SELECT 'default' FROM payment_defaults WHERE paid_at < opened_at
     UNION ALL SELECT 'payout' FROM payouts
                WHERE paid_at < requested_at OR returned_at < requested_at
     UNION ALL SELECT 'recovery' FROM recoveries r JOIN payouts p USING (user_id)
                WHERE r.opened_at < p.requested_at`,
  );
  expect(early).toEqual([]);
});
