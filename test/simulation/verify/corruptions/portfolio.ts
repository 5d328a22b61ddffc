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
    plant: `INSERT INTO payments.write_offs (receivable_id, principal_cents, interest_cents, iva_cents,
              receivable_version, reason, requested_by, created_at)
            SELECT id, principal_cents - 1, interest_cents, iva_cents, 1, 'planted', 'ops', now()
              FROM payments.receivables WHERE transaction_id = $overdue`,
    reportedBy: ['payments', 'each write-off is of what its debt owed'],
  },
];
