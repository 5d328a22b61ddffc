import { of, OTHER, type Corruption } from './corruption';

export const STATEMENTS: Corruption[] = [
  {
    name: 'a delivery whose line is gone',
    plant: `DELETE FROM transactions.settlement_lines WHERE source_id = $unpaid`,
    reportedBy: ['transactions', 'each delivery since the start'],
  },
  {
    name: 'a delivery whose line has another commission',
    plant: `UPDATE transactions.settlement_lines SET commission_cents = commission_cents + 1
             WHERE source_id = $unpaid`,
    reportedBy: ['transactions', 'each delivery since the start'],
  },
  {
    name: 'a clawback of more than was delivered',
    plant: `INSERT INTO transactions.settlement_lines
              (wholesaler_id, kind, source_id, transaction_id, gross_cents, commission_cents,
               recorded_at)
            VALUES ($north, 'clawback', ${OTHER}, $unpaid, -40001, -800, simulated.now())`,
    reportedBy: ['transactions', 'take at most what was delivered'],
  },
  {
    name: 'a clawback that takes a cent too much of the commission',
    plant: `WITH decided AS (
              UPDATE transactions.settlement_adjustments SET commission_cents = commission_cents - 1
               WHERE id = $clawback)
            UPDATE transactions.settlement_lines SET commission_cents = commission_cents - 1
             WHERE source_id = $clawback`,
    reportedBy: ['transactions', 'take the commission on what they take'],
  },
  {
    name: 'a decided clawback whose line is gone',
    plant: `DELETE FROM transactions.settlement_lines WHERE source_id = $clawback`,
    reportedBy: ['transactions', 'each decided adjustment'],
  },
  {
    name: 'a clawback of another amount than was decided',
    plant: `UPDATE transactions.settlement_adjustments SET amount_cents = amount_cents + 1`,
    reportedBy: ['transactions', 'each decided adjustment'],
  },
  {
    name: 'a clawback that nobody decided',
    plant: `DELETE FROM transactions.settlement_adjustments WHERE id = $clawback`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a line of another wholesaler',
    plant: `UPDATE transactions.settlement_lines SET wholesaler_id = $south WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a line of a statement that is gone',
    plant: `UPDATE transactions.settlement_lines SET statement_id = ${OTHER} WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a statement of another total than its lines',
    plant: `UPDATE transactions.statements
               SET gross_cents = gross_cents + 1, net_cents = net_cents + 1, due_cents = due_cents + 1
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'totals, count and hash'],
  },
  {
    name: 'a statement of another IVA than its commission',
    plant: `UPDATE transactions.statements
               SET commission_iva_cents = commission_iva_cents + 1, net_cents = net_cents - 1,
                   due_cents = due_cents - 1
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'totals, count and hash'],
  },
  {
    name: 'a line whose time was changed after its statement closed',
    plant: `UPDATE transactions.settlement_lines SET recorded_at = recorded_at - interval '1 day'
             WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'totals, count and hash'],
  },
  {
    name: 'a statement number that is left out',
    plant: `UPDATE transactions.statements SET number = 3 WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'statements are numbered'],
  },
  {
    name: 'a gap between the periods of two statements',
    plant: `UPDATE transactions.statements SET period_from = period_from + interval '1 second'
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'statements are numbered'],
  },
  {
    name: 'a statement that opens with a balance that none carried',
    plant: `UPDATE transactions.statements
               SET opening_cents = -1, net_cents = net_cents - 1, due_cents = due_cents - 1
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'statements are numbered'],
  },
  {
    name: 'a payment of less than the statement is due',
    plant: `UPDATE transactions.statement_payments SET cents = cents - 1`,
    reportedBy: ['transactions', 'has one live payment'],
  },
  {
    name: 'a returned payment of a statement that stays paid',
    plant: `UPDATE transactions.statement_payments
               SET returned_at = simulated.now(), return_reason = 'CLABE'`,
    reportedBy: ['transactions', 'has one live payment'],
  },
  {
    name: 'a last statement that was deleted',
    plant: `DELETE FROM transactions.statements WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'the head of each wholesaler'],
  },
  {
    name: 'a line that the second statement left out too',
    plant: `UPDATE transactions.settlement_lines
               SET statement_id = NULL, recorded_at = recorded_at - interval '1 day'
             WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'no line is open for two periods'],
  },
];
