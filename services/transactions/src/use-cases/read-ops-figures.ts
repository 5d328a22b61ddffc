import { query } from '@fiado/chassis/db/query';
import { countDeadJobs } from '@fiado/chassis/ops-figures';
import type { OrderFigures } from '@fiado/contracts/ops-figures';
import type { Context } from '../context';

/** The orders of the day that began at `since`, by hour. */
export async function readOpsFigures(
  { db }: Pick<Context, 'db'>,
  since: Date,
): Promise<OrderFigures> {
  const hours = await query<{ startsAt: Date; orders: number; amountCents: number }>(
    db,
    // By wholesaler, as the indexes by time are.
    `SELECT date_bin('1 hour', t.created_at, $1) AS "startsAt", count(*)::int AS orders,
            sum(t.amount_cents)::bigint AS "amountCents"
       FROM wholesalers, LATERAL (
         SELECT created_at, amount_cents FROM transactions
          WHERE wholesaler_id = wholesalers.wholesaler_id AND created_at >= $1) t
      GROUP BY 1 ORDER BY 1`,
    [since],
  );
  const dead = await countDeadJobs(db);
  return {
    asOf: dead.asOf.toISOString(),
    deadJobs: dead.count,
    orders: hours.reduce((sum, { orders }) => sum + orders, 0),
    amountCents: hours.reduce((sum, { amountCents }) => sum + amountCents, 0),
    hours: hours.map((hour) => ({ ...hour, startsAt: hour.startsAt.toISOString() })),
  };
}
