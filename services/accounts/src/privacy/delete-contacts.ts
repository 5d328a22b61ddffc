import { query } from '@fiado/chassis/db/query';
import type { Context } from '../context';

/** How long the contacts of a store are kept after the decision on it: they did not ask for anything. */
const KEEP_DAYS = 30;
/** Users of one round. */
const BATCH_SIZE = 500;

/**
 * Deletes the contacts that owners named, some time after the lender approved or rejected their stores, or
 * after the owner was last verified, who may have named others. Those of a store that waits for another
 * decision stay: it may be called for that.
 * @returns whether there may be more
 */
export async function deleteContacts({ db, log }: Context): Promise<boolean> {
  const { length: deleted } = await query(
    db,
    `UPDATE users SET contacts = NULL WHERE id IN (
       SELECT u.id FROM users u JOIN corner_stores s ON s.user_id = u.id
        WHERE u.contacts IS NOT NULL AND s.status <> 'in-manual-validation'
          AND NOT EXISTS (SELECT FROM verifications v
                           WHERE v.user_id = u.id
                             AND v.created_at >= now() - make_interval(days => $1))
          AND EXISTS (SELECT FROM audit_log a
                       WHERE a.object_id = s.id
                         AND a.action IN ('corner-store.approved', 'corner-store.rejected')
                         AND a.occurred_at < now() - make_interval(days => $1))
        LIMIT $2 FOR UPDATE OF u SKIP LOCKED)
     RETURNING 1`,
    [KEEP_DAYS, BATCH_SIZE],
  );
  if (deleted > 0) log.info({ deleted }, 'contacts deleted');
  return deleted === BATCH_SIZE;
}
