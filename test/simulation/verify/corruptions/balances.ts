import { OTHER, type Corruption } from './corruption';

/** A recovery that nothing in the ledgers tells of. */
const RECOVERY = `INSERT INTO payments.recoveries (id, user_id, corner_store_id, deposit_id, amount_cents, opened_at)
            VALUES (${OTHER}, $payerUser, $payer, $surplus, 100, simulated.now())`;

export const BALANCES: Corruption[] = [
  {
    name: 'a credit balance whose ledger has a gap',
    plant: `UPDATE payments.credit_balances SET version = version + 1 WHERE user_id = $payerUser;
            UPDATE payments.credit_balance_entries e SET version = version + 1
             WHERE user_id = $payerUser AND version =
               (SELECT max(version) FROM payments.credit_balance_entries WHERE user_id = e.user_id)`,
    reportedBy: ['payments', 'the sum of their entries'],
  },
  {
    name: 'a credit balance whose last entry has a later number',
    plant: `UPDATE payments.credit_balance_entries e SET version = 99
             WHERE user_id = $payerUser AND version =
               (SELECT max(version) FROM payments.credit_balance_entries WHERE user_id = e.user_id)`,
    reportedBy: ['payments', 'the sum of their entries'],
  },
  {
    name: 'a surplus of which more was taken back',
    plant: `INSERT INTO payments.credit_balance_entries (user_id, version, cause, deposit_id, cents)
            VALUES ($payerUser, 90, 'reversal', $surplus, -9000000)`,
    reportedBy: ['payments', 'of its user’s deposits only'],
  },
  {
    name: 'a surplus of no deposit',
    plant: `UPDATE payments.credit_balance_entries SET deposit_id = NULL WHERE deposit_id = $surplus`,
    reportedBy: ['payments', 'fits its amount and its deposit'],
  },
  {
    name: 'a surplus below zero',
    plant: `UPDATE payments.credit_balance_entries SET cents = -cents WHERE deposit_id = $surplus`,
    reportedBy: ['payments', 'fits its amount and its deposit'],
  },
  {
    name: 'a reversal that gave money',
    plant: `UPDATE payments.credit_balance_entries SET cause = 'reversal' WHERE deposit_id = $surplus`,
    reportedBy: ['payments', 'fits its amount and its deposit'],
  },
  {
    name: 'money spent by a deposit',
    plant: `UPDATE payments.credit_balance_entries SET deposit_id = $surplus
             WHERE user_id = $payerUser AND cause = 'spent'`,
    reportedBy: ['payments', 'fits its amount and its deposit'],
  },
  {
    name: 'a debtor with a credit balance',
    plant: `UPDATE payments.credit_balances SET balance_cents = balance_cents + 1
             WHERE user_id = $debtorUser`,
    reportedBy: ['payments', 'both a credit balance and a debt'],
  },
  {
    name: 'a recovery together with a credit balance',
    plant: RECOVERY,
    reportedBy: ['payments', 'both a credit balance and a debt'],
  },
  {
    name: 'a recovery without its entries',
    plant: RECOVERY,
    reportedBy: ['payments', 'each recovery is the sum'],
  },
  {
    name: 'a payout that left no credit balance',
    plant: `INSERT INTO payments.payouts (id, user_id, corner_store_id, amount_cents, bank_reference,
                                          bank_reference_key, reason, status, requested_by)
            VALUES (${OTHER}, $payerUser, $payer, 100, 'SPEI 1', 'spei1', 'cierre', 'requested', 'nadie')`,
    reportedBy: ['payments', 'each payout has left'],
  },
  {
    name: 'a held credit that was lowered to nothing',
    plant: 'UPDATE payments.held_credits SET cents = 0 WHERE settled_at IS NULL',
    reportedBy: ['payments', 'is held in one place each'],
  },
  {
    name: 'a held credit that was deleted before its note is settled',
    plant: 'DELETE FROM payments.held_credits WHERE settled_at IS NULL',
    reportedBy: ['payments', 'is held in one place each'],
  },
  {
    name: 'held money that is in no balance any more',
    plant: 'DELETE FROM payments.held_money',
    reportedBy: ['payments', 'is held in one place each'],
  },
  {
    name: 'more held money than lies in the balance',
    plant: 'UPDATE payments.held_money SET cents = cents + 9000000',
    reportedBy: ['payments', 'no more is held than lies in the balance'],
  },
];
