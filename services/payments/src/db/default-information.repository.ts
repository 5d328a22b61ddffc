import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

/** A default as its wholesaler reads it. Amount in cents, as of its opening. */
export interface DefaultView {
  userId: string;
  amountCents: number;
  openedAt: Date;
  paidAt: Date | null;
  externalId: string;
}

/** One page of a wholesaler's defaults, newest first, and how many there are: one snapshot. */
export async function findDefaults(
  db: Db,
  { wholesalerId, offset, limit }: { wholesalerId: string; offset: number; limit: number },
): Promise<{ defaults: DefaultView[]; total: number }> {
  const rows = await query<DefaultView & { id: string | null; total: number }>(
    db,
    `SELECT all_of_it.total, page.*
       FROM (SELECT count(*) AS total FROM payment_defaults WHERE wholesaler_id = $1) all_of_it
       -- A page past the end still returns the total.
       LEFT JOIN LATERAL (
         SELECT id, user_id, amount_cents, opened_at AS "openedAt", paid_at, external_id
           FROM payment_defaults WHERE wholesaler_id = $1
          ORDER BY opened_at DESC, id DESC LIMIT $2 OFFSET $3) page ON true
      ORDER BY page."openedAt" DESC, page.id DESC`,
    [wholesalerId, limit, offset],
  );
  return { defaults: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}
