import { queryOne, timeOf } from '@fiado/chassis/db/query';
import { dayAfter } from '@fiado/contracts/clock';
import type { Context } from '../context';
import { ALERT_DAY } from './tax-choices.rules';

/**
 * Counts the payment complements of months that are over that are not issued. Those of the last month count from the
 * third day on: until then they are only on their way.
 */
export async function countMissingComplements({
  db,
  config: { TIME_ZONE },
}: Pick<Context, 'db' | 'config'>): Promise<number> {
  const today = dayAfter(await timeOf(db), TIME_ZONE).date;
  const { count } = await queryOne<{ count: number }>(
    db,
    `SELECT count(*)::int FROM tax_documents d JOIN statements s ON s.id = d.statement_id
       LEFT JOIN statement_payments p ON p.statement_id = s.id AND p.number = d.payment_number
      WHERE d.document_id = d.id AND d.status = 'pending' AND d.kind = 'payment' AND d.cancellation = 'none'
        AND coalesce(p.paid_on, (s.closed_at AT TIME ZONE $2)::date)
            < date_trunc('month', $1::date - make_interval(days => ${ALERT_DAY - 1}))`,
    [today, TIME_ZONE],
  );
  return count;
}
