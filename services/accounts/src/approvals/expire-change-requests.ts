import { query } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { CHANGE_KIND_NAMES, CHANGE_KINDS } from '@fiado/contracts/change-requests';
import type { Context } from '../context';
import type { ChangeRequest } from './change-requests.sql';
import { decisionRows } from './decide-change-request';

const COLLECTED = CHANGE_KIND_NAMES.filter((name) => 'collectedBy' in CHANGE_KINDS[name]);

const BATCH_SIZE = 100;

/** Expires a batch of changes that nobody decided in time. @returns whether there may be more */
export async function expireChangeRequests({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const expired = await db.transaction(async (tx) => {
    // Expires undecided changes, and approved secrets that were not collected.
    const changes = await query<ChangeRequest>(
      tx,
      `UPDATE change_requests SET status = 'expired', sealed_payload = NULL WHERE id IN (
         SELECT id FROM change_requests
          WHERE expires_at < now()
            AND (status = 'pending' OR (status = 'approved' AND kind = ANY ($2)))
          ORDER BY expires_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
       RETURNING *`,
      [BATCH_SIZE, COLLECTED],
    );
    await appendToOutbox(
      tx,
      changes.flatMap((change) => decisionRows(change, false)),
    );
    return changes;
  });
  return expired.length === BATCH_SIZE;
}
