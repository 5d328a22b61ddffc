import type { Corruption } from './corruption';

const LAST = '(SELECT max(day) FROM payments.portfolio_calendar)';

export const PORTFOLIO: Corruption[] = [
  {
    name: 'a day of the portfolio that was lost',
    plant: `DELETE FROM payments.portfolio_calendar WHERE day = ${LAST} - 1`,
    reportedBy: ['payments', 'days of the portfolio follow each other'],
  },
  {
    name: 'a day of the portfolio with more debt than moved',
    plant: `UPDATE payments.portfolio_days SET interest_cents = interest_cents + 1 WHERE day = ${LAST}`,
    reportedBy: ['payments', 'days of the portfolio differ by what moved'],
  },
  {
    name: 'a payment in the portfolio that no day has less for',
    plant: `INSERT INTO payments.portfolio_flows
            SELECT (jsonb_populate_record(f, jsonb_build_object(
                     'day', f.day + 1, 'delivered_principal_cents', 0,
                     'delivered_interest_cents', 0, 'delivered_iva_cents', 0,
                     'collected_principal_cents', 100))).*
              FROM payments.portfolio_flows f LIMIT 1`,
    reportedBy: ['payments', 'days of the portfolio differ by what moved'],
  },
  {
    name: 'a day of the portfolio whose debt is less late',
    plant: `UPDATE payments.portfolio_days SET bucket = '91+' WHERE day = ${LAST}`,
    reportedBy: ['payments', 'three days of the portfolio'],
  },
  {
    name: 'a debt that the portfolio has of another wholesaler, in its days and its flows',
    plant: `UPDATE payments.portfolio_days SET wholesaler_id = $south;
            UPDATE payments.portfolio_flows SET wholesaler_id = $south;
            UPDATE payments.portfolio_cohorts SET wholesaler_id = $south`,
    reportedBy: ['payments', 'three days of the portfolio'],
  },
  {
    name: 'a week of delivery with another principal than its days',
    plant: 'UPDATE payments.portfolio_cohorts SET principal_cents = principal_cents + 1',
    reportedBy: ['payments', 'each week of delivery has the principal of its days'],
  },
  {
    name: 'a week of delivery of which more is unpaid than due',
    plant: 'UPDATE payments.portfolio_cohorts SET unpaid_cents = reached_cents + 1',
    reportedBy: ['payments', 'each week of delivery has the principal of its days'],
  },
  {
    name: 'a write-off of less than its debt owed',
    plant: 'UPDATE payments.write_offs SET principal_cents = principal_cents - 1',
    reportedBy: ['payments', 'each write-off is of what its debt owed'],
  },
  {
    name: 'an old day of the portfolio with another number of debts',
    plant: `UPDATE payments.portfolio_days SET debts = debts + 1
             WHERE day = (SELECT min(day) FROM payments.portfolio_days)`,
    reportedBy: ['payments', 'each day of the portfolio is as it was filled'],
  },
  {
    name: 'an old day of the portfolio with twice the cash',
    plant: `UPDATE payments.portfolio_flows SET cash_cents = cash_cents + 100
             WHERE day = (SELECT min(day) FROM payments.portfolio_flows)`,
    reportedBy: ['payments', 'each day of the portfolio is as it was filled'],
  },
  {
    name: 'a week of delivery of which nothing is unpaid',
    plant: 'UPDATE payments.portfolio_cohorts SET unpaid_cents = 0',
    reportedBy: ['payments', 'what is unpaid of three weeks of delivery'],
  },
  {
    name: 'a write-off that somebody else approved',
    plant: `UPDATE payments.write_offs SET approved_by = 'nobody'`,
    reportedBy: ['payments', 'each write-off was approved by the person'],
  },
  {
    name: 'a write-off that was deleted',
    plant: 'DELETE FROM payments.write_offs',
    reportedBy: ['payments', 'what left the portfolio'],
  },
  {
    name: 'a total of debts with a cent more',
    plant: `UPDATE payments.portfolio_totals SET interest_cents = interest_cents + 1
             WHERE ctid = (SELECT min(ctid) FROM payments.portfolio_totals WHERE debts > 0)`,
    reportedBy: ['payments', 'the totals of debts are what their ledger makes of them'],
  },
  {
    name: 'a debt in the totals as if it were due a day later',
    plant: `UPDATE payments.portfolio_totals SET due_on = due_on + 1 WHERE debts > 0`,
    reportedBy: ['payments', 'the totals of debts are what their ledger makes of them'],
  },
  {
    name: 'a total of debts of which less was delivered',
    plant: 'UPDATE payments.portfolio_totals SET delivered_cents = delivered_cents - 1',
    reportedBy: ['payments', 'the totals have the principal of each week of delivery'],
  },
];
