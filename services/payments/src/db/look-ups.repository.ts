import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

/** Look-ups of one payment provider in any minute: more than its clerks type, too few to guess. */
const LOOK_UPS_PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

/**
 * Counts a look-up of a payment provider, in one statement with its own commit, so that parallel ones
 * on all instances share the limit.
 * @returns seconds until the next look-up is allowed; undefined when this one is
 */
export async function countLookUp(db: Db, paymentProviderId: string): Promise<number | undefined> {
  const [row] = await query<{ counted: boolean; waitSeconds: number }>(
    db,
    `WITH counted AS (
       INSERT INTO reference_lookups AS known (payment_provider_id, looked_up_at)
       VALUES ($1, ARRAY[now()])
       ON CONFLICT (payment_provider_id) DO UPDATE
         -- The newest of them, with this one.
         SET looked_up_at = (known.looked_up_at || now())
               [greatest(1, cardinality(known.looked_up_at) + 2 - $2::integer):]
         WHERE cardinality(known.looked_up_at) < $2::integer
            OR known.looked_up_at[1] <= now() - make_interval(secs => $3::float)
       RETURNING payment_provider_id
     )
     SELECT EXISTS (SELECT FROM counted) AS counted,
            coalesce((SELECT ceil(extract(epoch FROM looked_up_at[1] - now()) + $3::float)
                        FROM reference_lookups WHERE payment_provider_id = $1), 1)::integer
              AS "waitSeconds"`,
    [paymentProviderId, LOOK_UPS_PER_MINUTE, WINDOW_SECONDS],
  );
  return row?.counted === true ? undefined : Math.max(1, row?.waitSeconds ?? WINDOW_SECONDS);
}
