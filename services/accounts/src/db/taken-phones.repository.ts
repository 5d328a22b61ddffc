import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';

/**
 * Counts a change of phone that is refused because another user has the number.
 * @returns how many there were in the last 24 hours, this one included; of those at once each differs
 */
export async function countTakenPhone(db: Db, wholesalerId: string): Promise<number> {
  await query(
    db,
    `WITH forgotten AS (
       DELETE FROM unknown_number_sends
        WHERE wholesaler_id = $1 AND hour < now() - interval '25 hours'
     )
     INSERT INTO unknown_number_sends AS sends (wholesaler_id, hour, taken)
     VALUES ($1, date_trunc('hour', now()), 1)
     ON CONFLICT (wholesaler_id, hour) DO UPDATE SET taken = sends.taken + 1`,
    [wholesalerId],
  );
  // A separate statement, because its snapshot must be taken with the hour's row locked.
  const { taken } = await queryOne<{ taken: number }>(
    db,
    `SELECT sum(taken)::integer AS taken FROM unknown_number_sends
      WHERE wholesaler_id = $1 AND hour > now() - interval '24 hours'`,
    [wholesalerId],
  );
  return taken;
}
