import type { Database } from '@fiado/chassis/db/database';
import { allowLongStatements, query, queryOne } from '@fiado/chassis/db/query';
import type { AgeingBucket } from '@fiado/contracts/ops-figures';
import { OUTSTANDING } from './ops-receivables.repository';

/** Deliveries that were booked, and deposits that were received, since a time. In cents. */
export function findPaymentsSince(
  db: Database,
  since: Date,
): Promise<{
  deliveries: number;
  deliveredCents: number;
  deposits: number;
  depositedCents: number;
}> {
  return queryOne(
    db,
    `SELECT delivery.count AS deliveries, delivery.cents AS "deliveredCents",
            deposit.count AS deposits, deposit.cents AS "depositedCents"
       FROM (SELECT count(*)::int, coalesce(sum(principal_cents), 0)::bigint AS cents
               FROM receivables WHERE opened_at >= $1) delivery,
            (SELECT count(*)::int, coalesce(sum(valor_cents), 0)::bigint AS cents
               FROM deposits WHERE received_at >= $1) deposit`,
    [since],
  );
}

/** What is outstanding by the days that it is overdue. It reads all open debts. */
export function findAgeing(
  db: Database,
  now: Date,
): Promise<Array<{ bucket: AgeingBucket; receivables: number; amountCents: number }>> {
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    return query(
      tx,
      `SELECT CASE WHEN due_at >= $1 THEN '0'
                   WHEN due_at >= $1 - interval '7 days' THEN '1-7'
                   WHEN due_at >= $1 - interval '30 days' THEN '8-30'
                   WHEN due_at >= $1 - interval '60 days' THEN '31-60'
                   ELSE '61+' END AS bucket,
              count(*)::int AS receivables, sum(${OUTSTANDING})::bigint AS "amountCents"
         FROM receivables WHERE paid_at IS NULL GROUP BY 1`,
      [now],
    );
  });
}
