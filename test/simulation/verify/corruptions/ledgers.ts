import { of, OTHER, type Corruption } from './corruption';

export const LEDGERS: Corruption[] = [
  {
    name: 'credit that is used for nothing',
    plant: `UPDATE transactions.credit_lines SET used_cents = used_cents + 1
             WHERE corner_store_id = $buyer`,
    reportedBy: ['transactions', 'add up to the used amount'],
  },
  {
    name: 'a hold that is gone from the ledger, with the credit that it used',
    plant: `DELETE FROM transactions.credit_entries WHERE ${of('held')};
            UPDATE transactions.credit_lines SET used_cents = used_cents - 20000
             WHERE corner_store_id = $buyer`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a ledger row that moved to another order of the line',
    plant: `UPDATE transactions.credit_entries SET transaction_id = $unpaid WHERE ${of('held')}`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'two ledger rows of a line that swapped their amounts',
    plant: `UPDATE transactions.credit_entries
               SET amount_cents = CASE transaction_id WHEN $held THEN 40000 ELSE 20000 END
             WHERE transaction_id IN ($held, $unpaid) AND kind = 'hold'`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'two ledger rows that cancel each other',
    plant: `INSERT INTO transactions.credit_entries
              (corner_store_id, transaction_id, kind, amount_cents, cause_id)
            VALUES ($buyer, $unpaid, 'repayment', -5000, ${OTHER}),
                   ($buyer, $partlyPaid, 'reversal', 5000, ${OTHER})`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a repayment that names no payment',
    plant: `UPDATE transactions.credit_entries SET cause_id = NULL
             WHERE ${of('partlyPaid')} AND kind = 'repayment'`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'an order of another amount than was confirmed',
    plant: 'UPDATE transactions.transactions SET amount_cents = 21000 WHERE id = $held',
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'an order that was deleted',
    plant: 'DELETE FROM transactions.transactions WHERE id = $held',
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a cancelled order that holds credit again',
    plant: `UPDATE transactions.transactions SET status = 'on-hold' WHERE id = $cancelled`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a lower interest',
    plant: `UPDATE transactions.transactions SET interest_cents = interest_cents - 1 WHERE id = $unpaid`,
    reportedBy: ['transactions', 'interest and IVA'],
  },
  {
    name: 'a lower interest rate with its interest and IVA, after the delivery',
    plant: `UPDATE transactions.transactions
               SET interest_rate = 0, interest_cents = 0, iva_cents = 0 WHERE id = $unpaid`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'two orders of one store that swapped their due dates',
    plant: `UPDATE transactions.transactions t SET payment_due_at = other.payment_due_at + interval '1 day'
              FROM transactions.transactions other
             WHERE t.id IN ($unpaid, $partlyPaid) AND other.id IN ($unpaid, $partlyPaid)
               AND t.id <> other.id`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an order that moved to another wholesaler',
    plant: 'UPDATE transactions.transactions SET wholesaler_id = $south WHERE id = $unpaid',
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an order that moved to the user of another store',
    plant: 'UPDATE transactions.transactions SET user_id = $payerUser WHERE id = $held',
    reportedBy: ['transactions', 'belongs to the user of its line'],
  },
  {
    name: 'an order of a wholesaler that the store does not buy from',
    plant: `UPDATE transactions.transactions SET wholesaler_id = ${OTHER} WHERE id = $held`,
    reportedBy: ['transactions', 'belongs to the user of its line'],
  },
  {
    name: 'an order that is paid in transactions alone',
    plant: `UPDATE transactions.transactions SET paid = true, status = 'paid', owed_cents = 0
             WHERE id = $unpaid`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an order that is shown as paid and is not',
    plant: `UPDATE transactions.transactions SET status = 'paid' WHERE id = $unpaid`,
    reportedBy: ['transactions', 'the status of a transaction follows'],
  },
  {
    name: 'an order that is no longer in default',
    plant: `UPDATE transactions.transactions SET in_default = false, status = 'delivery'
             WHERE id = $overdue`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an order that held credit twice, and gave one back',
    plant: `INSERT INTO transactions.credit_entries (corner_store_id, transaction_id, kind, amount_cents)
            VALUES ($buyer, $held, 'hold', 100), ($buyer, $held, 'adjustment', -100)`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a repayment that is booked as a reversal',
    plant: `UPDATE transactions.credit_entries SET kind = 'reversal'
             WHERE ${of('partlyPaid')} AND kind = 'repayment'`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a paid order of another amount than it held',
    plant: `UPDATE transactions.transactions SET amount_cents = amount_cents + 100 WHERE id = $paid`,
    reportedBy: ['transactions', 'each order and its credit_entries agree'],
  },
  {
    name: 'a lower IVA',
    plant: `UPDATE transactions.transactions SET iva_cents = iva_cents - 1 WHERE id = $held`,
    reportedBy: ['transactions', 'interest and IVA'],
  },
  {
    name: 'a delivered order that was never delivered',
    plant: `UPDATE transactions.transactions SET delivered_at = NULL WHERE id = $unpaid`,
    reportedBy: ['transactions', 'the status of a transaction follows'],
  },
  {
    name: 'a paid order that owes',
    plant: `UPDATE transactions.transactions SET owed_cents = 1 WHERE id = $paid`,
    reportedBy: ['transactions', 'the status of a transaction follows'],
  },
  {
    name: 'an order that owes before its delivery',
    plant: `UPDATE transactions.transactions SET owed_cents = 1 WHERE id = $held`,
    reportedBy: ['transactions', 'the status of a transaction follows'],
  },
  {
    name: 'an order that owes, and is said to be paid',
    plant: `UPDATE transactions.transactions SET paid = true WHERE id = $unpaid`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an order that owes less',
    plant: `UPDATE transactions.transactions SET owed_cents = owed_cents - 1 WHERE id = $unpaid`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
];
