import { of, receivableOf, type Corruption } from './corruption';

export const RECEIVABLES: Corruption[] = [
  {
    name: 'a credit note that lowered its debt twice',
    plant: `INSERT INTO payments.receivable_entries
              (receivable_id, version, cause, credit_note_id, principal_cents, interest_cents, iva_cents)
            SELECT receivable_id, 9, cause, credit_note_id, principal_cents, interest_cents, iva_cents
              FROM payments.receivable_entries WHERE credit_note_id = $creditNote`,
    reportedBy: ['payments', 'is the sum of its credit notes'],
  },
  {
    name: 'a debt that was credited more than its credit notes, with the ledger',
    plant: `UPDATE payments.receivable_entries SET principal_cents = principal_cents - 1
             WHERE credit_note_id = $creditNote;
            UPDATE payments.receivables SET credited_principal_cents = credited_principal_cents + 1
             WHERE ${of('returned')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'credit that payouts may take, of a note whose statement is not closed',
    plant: `UPDATE transactions.settlement_lines SET statement_id = NULL
             WHERE kind = 'credit-note' AND source_id = $creditNote`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'credit that stays held after the statement of its note was closed',
    plant: `UPDATE payments.held_credits SET user_id = $buyerUser, settled_at = NULL
             WHERE credit_note_id = $creditNote`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'credit that is held from another user',
    plant: `UPDATE payments.held_credits SET user_id = $payerUser, settled_at = NULL
             WHERE credit_note_id = $creditNote`,
    reportedBy: ['payments', 'what is held from payouts'],
  },
  {
    name: 'more credit that is held than its note gave',
    plant: `UPDATE payments.held_credits SET user_id = $buyerUser, settled_at = NULL, cents = 99000
             WHERE credit_note_id = $creditNote`,
    reportedBy: ['payments', 'what is held from payouts'],
  },
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
  {
    name: 'a debt of another user than its order',
    plant: `UPDATE payments.receivables SET user_id = $payerUser WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a higher principal that is paid',
    plant: `UPDATE payments.receivables SET principal_cents = principal_cents + 100,
                   paid_principal_cents = paid_principal_cents + 100 WHERE ${of('paid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a higher interest than that of the order',
    plant: `UPDATE payments.receivables SET interest_cents = interest_cents + 1 WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a higher IVA than that of the order',
    plant: `UPDATE payments.receivables SET iva_cents = iva_cents + 1 WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a ledger without one of its rows',
    plant: `UPDATE payments.receivables SET version = 3 WHERE ${of('partlyPaid')};
            UPDATE payments.receivable_entries SET version = 3
             WHERE receivable_id = ${receivableOf('partlyPaid')} AND version = 2`,
    reportedBy: ['payments', 'receivable_entries add up'],
  },
  {
    name: 'a debt that was opened higher and paid more',
    plant: `UPDATE payments.receivable_entries
               SET principal_cents = principal_cents + CASE cause WHEN 'opened' THEN 100 ELSE -100 END
             WHERE receivable_id = ${receivableOf('partlyPaid')}`,
    reportedBy: ['payments', 'receivable_entries add up'],
  },
  {
    name: 'a payment that is booked as a second opening',
    plant: `UPDATE payments.receivable_entries SET cause = 'opened', allocation_id = NULL
             WHERE receivable_id = ${receivableOf('partlyPaid')} AND version = 2`,
    reportedBy: ['payments', 'receivable_entries add up'],
  },
  {
    name: 'a debt that was paid before it was booked',
    plant: `UPDATE payments.receivables SET paid_at = opened_at - interval '1 day' WHERE ${of('paid')}`,
    reportedBy: ['payments', 'paid before it was opened'],
  },
  {
    name: 'an allocation that paid twice',
    plant: `INSERT INTO payments.receivable_entries
              (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents)
            SELECT receivable_id, 3, cause, allocation_id, principal_cents + 1, interest_cents, iva_cents
              FROM payments.receivable_entries
             WHERE receivable_id = ${receivableOf('partlyPaid')} AND version = 2`,
    reportedBy: ['payments', 'each allocation is one row'],
  },
  {
    name: 'a payment that was taken back from another debt',
    plant: `UPDATE payments.receivable_entries
               SET receivable_id = ${receivableOf('partlyPaid')}
             WHERE receivable_id = ${receivableOf('unpaid')} AND cause = 'reversal'`,
    reportedBy: ['payments', 'each allocation is one row'],
  },
  {
    name: 'a payment that was taken back twice',
    plant: `INSERT INTO payments.receivable_entries
              (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents)
            SELECT receivable_id, 9, cause, allocation_id, principal_cents, interest_cents, iva_cents
              FROM payments.receivable_entries
             WHERE receivable_id = ${receivableOf('unpaid')} AND cause = 'reversal'`,
    reportedBy: ['payments', 'each allocation is one row'],
  },
  {
    name: 'a payment whose allocation is that of another debt',
    plant: `UPDATE payments.allocations SET receivable_id = ${receivableOf('unpaid')}
             WHERE deposit_id = $deposited`,
    reportedBy: ['payments', 'has its allocation'],
  },
  {
    name: 'a default before the debt was due',
    plant: `UPDATE payments.payment_defaults SET as_of = as_of - interval '60 days'
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'if, and only if, it has an open default'],
  },
  {
    name: 'a default that was withdrawn while its debt is not paid',
    plant: `INSERT INTO payments.default_withdrawals (default_id, receivable_id, deposit_id)
            SELECT id, receivable_id, $deposited FROM payments.payment_defaults
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'each withdrawn default'],
  },
  {
    name: 'a default of another user',
    plant: `UPDATE payments.payment_defaults SET user_id = $payerUser
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'the parties of its receivable'],
  },
  {
    name: 'a default under another name of the store',
    plant: `UPDATE payments.payment_defaults SET external_id = 'tienda-9'
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'the parties of its receivable'],
  },
  {
    name: 'a default of another store',
    plant: `UPDATE payments.payment_defaults SET corner_store_id = $payer
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'the parties of its receivable'],
  },
  {
    name: 'a default of more than the debt',
    plant: `UPDATE payments.payment_defaults SET amount_cents = 99000000
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'the parties of its receivable'],
  },
  {
    name: 'a default that ended before it began',
    plant: `UPDATE payments.payment_defaults SET paid_at = opened_at - interval '1 day'
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'the parties of its receivable'],
  },
];
