import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { forAllTests } from '../../../test/support/for-all-tests';
import { lockDeposit } from '../src/deposits/deposit';
import { distributeDeposit } from '../src/deposits/apply-deposit';
import { payFor, reverse } from './support/defaults';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const paid = { cents: -105_800, isInOrder: true };

/** The entries of a debt, by version, and whether each is booked no earlier than the one before. */
const entriesOf = ({ transactionId }: { transactionId: string }) =>
  payments.rows<{ cents: number; isInOrder: boolean }>(
    `SELECT e.principal_cents + e.interest_cents + e.iva_cents AS cents,
            coalesce(e.created_at >= lag(e.created_at) OVER (ORDER BY e.version), true)
              AS "isInOrder"
       FROM receivable_entries e JOIN receivables r ON r.id = e.receivable_id
      WHERE r.transaction_id = $1 ORDER BY e.version`,
    [transactionId],
  );

/** Runs in a database transaction whose time is before that of all that `meanwhile` does. */
async function inOlderTransaction(
  meanwhile: () => Promise<unknown>,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await payments.context.db.transaction(async (tx) => {
    await query(tx, 'SELECT now()');
    await meanwhile();
    await work(tx);
  });
}

/** A deposit of 1,058 pesos whose references are unknown, of which nothing is distributed yet. */
async function unmatchedDeposit(): Promise<string> {
  await deposit(payments, { valor: 1_058 });
  const [row] = await payments.rows<{ id: string }>(
    `SELECT id FROM deposits WHERE status = 'unmatched' ORDER BY received_at DESC LIMIT 1`,
  );
  return row?.id ?? '';
}

async function distribute(tx: Transaction, depositId: string, userId: string): Promise<void> {
  const locked = await lockDeposit(tx, depositId);
  if (locked === null) throw new Error('There is no such deposit');
  await distributeDeposit(payments.context, tx, locked, { userId, receivableId: null });
}

it('a payment that began before its debt was opened is booked with the opening', async () => {
  const first = delivery();
  const { userId, cornerStoreId } = first;
  await deliverTransaction(payments, first);
  await payFor(payments, first, 1_058);
  const depositId = await unmatchedDeposit();
  const order = delivery({ userId, cornerStoreId });

  await inOlderTransaction(
    () => deliverTransaction(payments, order),
    (tx) => distribute(tx, depositId, userId),
  );

  expect(await entriesOf(order)).toEqual([{ cents: 105_800, isInOrder: true }, paid]);
});

it('a payment that began before the reversal that it pays is booked with the reversal', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const reversedId = await payFor(payments, order, 1_058);
  const depositId = await unmatchedDeposit();

  await inOlderTransaction(
    () => reverse(payments, reversedId),
    (tx) => distribute(tx, depositId, order.userId),
  );

  const reversal = { cents: 105_800, isInOrder: true };
  expect(await entriesOf(order)).toEqual([reversal, paid, reversal, paid]);
});
