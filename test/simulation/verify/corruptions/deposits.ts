import { of, outboxRow, receivableOf, type Corruption } from './corruption';

export const DEPOSITS: Corruption[] = [
  {
    name: 'a reversed deposit that is applied again',
    plant: `UPDATE payments.deposits SET status = 'applied' WHERE id = $reversed`,
    reportedBy: ['payments', 'allocated in full'],
  },
  {
    name: 'a reversal without its decision',
    plant: `DELETE FROM payments.deposit_decisions WHERE deposit_id = $reversed`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'an assignment without its decision',
    plant: `DELETE FROM payments.deposit_decisions WHERE deposit_id = $assigned`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'an assignment without its decision and its reason',
    plant: `DELETE FROM payments.deposit_decisions WHERE deposit_id = $assigned;
            UPDATE payments.deposits SET unmatched_reason = NULL WHERE id = $assigned`,
    reportedBy: ['payments', 'pays the owner of its reference'],
  },
  {
    name: 'a decision for another store than the deposit paid',
    plant: `UPDATE payments.deposit_decisions SET corner_store_id = $payer
             WHERE deposit_id = $assigned`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'an unmatched deposit with a user',
    plant: `UPDATE payments.deposits SET user_id = $payerUser WHERE id = $unmatched`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'a higher deposit, with its allocation and the ledgers',
    plant: `UPDATE payments.deposits SET valor_cents = valor_cents + 100 WHERE id = $surplus;
            UPDATE payments.credit_balance_entries SET cents = cents + 100
             WHERE deposit_id = $surplus;
            UPDATE payments.credit_balances
               SET balance_cents = balance_cents + 100 WHERE user_id = $payerUser`,
    reportedBy: ['payments', 'the values of the body'],
  },
  {
    name: 'another reference than the provider sent',
    plant: `UPDATE payments.deposits SET id_factura = '1234567890123' WHERE id = $unmatched`,
    reportedBy: ['payments', 'the values of the body'],
  },
  {
    name: 'a body that is no JSON',
    plant: `UPDATE payments.deposits SET body = '{' WHERE id = $unmatched`,
    reportedBy: ['payments', 'the values of the body'],
  },
  {
    name: 'a deposit that waits to be applied',
    plant: `UPDATE payments.deposits
               SET status = 'received', received_at = simulated.now() - interval '61 s'
             WHERE id = $unmatched`,
    reportedBy: ['payments', 'is applied, unmatched or reversed'],
  },
  {
    name: 'two users that swapped their references',
    plant: `UPDATE payments.credit_balances SET numero_referencia = numero_referencia || 'x'
             WHERE user_id IN ($payerUser, $debtorUser);
            UPDATE payments.credit_balances b SET numero_referencia = rtrim(other.numero_referencia, 'x')
              FROM payments.credit_balances other
             WHERE b.user_id IN ($payerUser, $debtorUser)
               AND other.user_id IN ($payerUser, $debtorUser) AND b.user_id <> other.user_id`,
    reportedBy: ['payments', 'pays the owner of its reference'],
  },
  {
    name: 'a reference with a wrong digit',
    plant: `UPDATE payments.credit_balances
               SET numero_referencia = left(numero_referencia, -1)
                     || (right(numero_referencia, 1)::integer + 1) % 10
             WHERE user_id = $debtorUser`,
    reportedBy: ['payments', 'each numeroReferencia'],
  },
  {
    name: 'an idFactura with a wrong digit',
    plant: `UPDATE payments.receivables
               SET id_factura = left(id_factura, -1) || (right(id_factura, 1)::integer + 1) % 10
             WHERE ${of('unpaid')}`,
    reportedBy: ['payments', 'each idFactura'],
  },
  {
    name: 'a credit balance of another store',
    plant: `UPDATE payments.credit_balances SET corner_store_id = $newcomer
             WHERE user_id = $debtorUser`,
    reportedBy: ['payments', 'are one user’s'],
  },
  {
    name: 'a higher credit balance',
    plant: `UPDATE payments.credit_balances SET balance_cents = balance_cents + 1
             WHERE user_id = $payerUser`,
    reportedBy: ['payments', 'the sum of their entries'],
  },
  {
    name: 'a credit balance that was spent on nothing',
    plant: `UPDATE payments.credit_balance_entries SET cents = cents - 100
             WHERE user_id = $payerUser AND cause = 'spent';
            UPDATE payments.credit_balances SET balance_cents = balance_cents - 100
             WHERE user_id = $payerUser`,
    reportedBy: ['payments', 'amounts spent from credit balances'],
  },
  {
    name: 'a surplus of a deposit that another user has',
    plant: `INSERT INTO payments.credit_balance_entries (user_id, version, cause, deposit_id, cents)
            VALUES ($debtorUser, 1, 'surplus', $surplus, 100);
            UPDATE payments.credit_balances SET balance_cents = 100, version = 1
             WHERE user_id = $debtorUser`,
    reportedBy: ['payments', 'of its user’s deposits only'],
  },
  {
    name: 'an entry of a credit balance with another cause',
    plant: `UPDATE payments.credit_balance_entries SET cause = 'returned'
             WHERE deposit_id = $surplus`,
    reportedBy: ['payments', 'fits its amount and its deposit'],
  },
  {
    name: 'an unassignment that is gone',
    plant: `DELETE FROM payments.deposit_decisions
             WHERE deposit_id = $reassigned AND decision = 'unassigned'`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'a second assignment without its decision',
    plant: `DELETE FROM payments.deposit_decisions
             WHERE deposit_id = $reassigned AND decision = 'assigned' AND unassignments = 1`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'a default that is closed without a payment',
    plant: `UPDATE payments.payment_defaults SET paid_at = simulated.now()
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'if, and only if, it has an open default'],
  },
  {
    name: 'a default of another wholesaler',
    plant: `UPDATE payments.payment_defaults SET wholesaler_id = $south
             WHERE receivable_id = ${receivableOf('overdue')}`,
    reportedBy: ['payments', 'the parties of its receivable'],
  },
  {
    name: 'an overdue debt without a default',
    plant: `DELETE FROM payments.payment_defaults WHERE receivable_id = ${receivableOf('overdue')};
            UPDATE payments.receivables
               SET in_default = false, opened_at = opened_at - interval '1 day'
             WHERE ${of('overdue')}`,
    reportedBy: ['payments', 'hours overdue is in default'],
  },
  {
    name: 'a debt that is paid in payments alone',
    plant: `UPDATE payments.receivables
               SET paid_principal_cents = principal_cents, paid_interest_cents = interest_cents,
                   paid_iva_cents = iva_cents, paid_at = simulated.now(), version = 3
             WHERE ${of('unpaid')}`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'a job of payments that waits for two hours',
    plant: outboxRow('payments', { created_at: `simulated.now() - interval '2 hours'` }),
    reportedBy: ['payments', 'older than 1 hour'],
  },
  {
    name: 'a dead letter of payments',
    plant: outboxRow('payments', { enqueued_at: 'simulated.now()', dead_at: 'simulated.now()' }),
    reportedBy: ['payments', 'dead letter'],
  },
  {
    name: 'a deposit that is reversed and keeps its money',
    plant: `UPDATE payments.deposits SET status = 'reversed' WHERE id = $surplus`,
    reportedBy: ['payments', 'allocated in full'],
  },
  {
    name: 'a decision of a round that never was',
    plant: `INSERT INTO payments.deposit_decisions
              (deposit_id, decision, decided_by, corner_store_id, unassignments)
            VALUES ($assigned, 'assigned', 'nadie', $buyer, 1)`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'a decision on a deposit that stayed unmatched',
    plant: `INSERT INTO payments.deposit_decisions (deposit_id, decision, decided_by, corner_store_id)
            VALUES ($unmatched, 'assigned', 'nadie', $buyer)`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
  {
    name: 'an unmatched deposit that is new again',
    plant: `UPDATE payments.deposits SET status = 'received' WHERE id = $unmatched`,
    reportedBy: ['payments', 'the decisions on it agree'],
  },
];
