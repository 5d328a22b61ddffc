import { of, receivableOf, type Corruption } from './corruption';

export const RECEIVABLES: Corruption[] = [
  {
    name: 'a receivable that was deleted with its ledger',
    plant: `DELETE FROM payments.receivable_entries WHERE receivable_id = ${receivableOf('unpaid')};
            DELETE FROM payments.receivables WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a principal that was lowered with its ledger',
    plant: `UPDATE payments.receivable_entries SET principal_cents = principal_cents - 100
             WHERE receivable_id = ${receivableOf('overdue')};
            UPDATE payments.receivables SET principal_cents = principal_cents - 100
             WHERE ${of('overdue')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a principal that moved from one debt of a store to another, with the ledgers',
    plant: `UPDATE payments.receivable_entries
               SET principal_cents = principal_cents
                     + CASE receivable_id WHEN ${receivableOf('overdue')} THEN 100 ELSE -100 END
             WHERE receivable_id IN (${receivableOf('overdue')}, ${receivableOf('unpaid')})
               AND cause = 'opened';
            UPDATE payments.receivables
               SET principal_cents = principal_cents
                     + CASE WHEN ${of('overdue')} THEN 100 ELSE -100 END
             WHERE transaction_id IN ($overdue, $unpaid)`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a later due date',
    plant: `UPDATE payments.receivables SET due_at = due_at + interval '1 day' WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a last day to pay that its moment does not have',
    plant: `UPDATE payments.receivables SET due_on = due_on + 1 WHERE ${of('unpaid')}`,
    reportedBy: ['payments', 'the last day to pay of a receivable'],
  },
  {
    name: 'a debt of another wholesaler',
    plant: `UPDATE payments.receivables SET wholesaler_id = $south WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a debt under another name of the store',
    plant: `UPDATE payments.receivables SET external_id = 'tienda-9' WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a debt of another user',
    plant: `UPDATE payments.receivables SET user_id = $payerUser WHERE ${of('unpaid')}`,
    reportedBy: ['payments', 'are one user’s'],
  },
  {
    name: 'a debt of another store, in all its rows',
    plant: `UPDATE payments.receivables SET user_id = $debtorUser, corner_store_id = $debtor
             WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an interest that is paid with a principal',
    plant: `UPDATE payments.receivables
               SET paid_interest_cents = paid_interest_cents - 1,
                   paid_principal_cents = paid_principal_cents + 1
             WHERE ${of('partlyPaid')}`,
    reportedBy: ['payments', 'receivable_entries add up'],
  },
  {
    name: 'a ledger with a gap',
    plant: `UPDATE payments.receivable_entries SET version = 7
             WHERE receivable_id = ${receivableOf('partlyPaid')} AND version = 2`,
    reportedBy: ['payments', 'receivable_entries add up'],
  },
  {
    name: 'an allocation of another amount than its ledger row',
    plant: `UPDATE payments.allocations SET principal_cents = principal_cents + 1
             WHERE deposit_id = $deposited`,
    reportedBy: ['payments', 'each allocation is one row'],
  },
  {
    name: 'an allocation that was deleted',
    plant: `DELETE FROM payments.allocations WHERE deposit_id = $deposited`,
    reportedBy: ['payments', 'has its allocation'],
  },
  {
    name: 'an allocation of a deposit to the debt of another',
    plant: `UPDATE payments.allocations SET receivable_id = ${receivableOf('unpaid')}
             WHERE deposit_id = $deposited`,
    reportedBy: ['payments', 'each allocation is one row'],
  },
  {
    name: 'two deposits that swapped their allocations',
    plant: `UPDATE payments.allocations
               SET deposit_id = CASE deposit_id WHEN $deposited THEN $surplus ELSE $deposited END::uuid
             WHERE deposit_id IN ($deposited, $surplus)`,
    reportedBy: ['payments', 'are one user’s'],
  },
];
