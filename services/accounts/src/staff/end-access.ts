import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { CHANGE_KIND_NAMES, CHANGE_KINDS } from '@fiado/contracts/change-requests';
import { opsAccessEnded } from '@fiado/contracts/jobs/ops-access';
import { newId } from '@fiado/contracts/new-id';
import type { ChangeRequest } from '../approvals/change-requests.sql';
import { decisionRows } from '../approvals/decide-change-request';
import { type Audited, recordAudit } from '../audit/audit-log';
import { IsNull } from '@fiado/chassis/db/typeorm';
import { StaffInvitationRow } from './staff-invitation.entity';

const COLLECTED = CHANGE_KIND_NAMES.filter((name) => 'collectedBy' in CHANGE_KINDS[name]);

/** Why a request ended whose requester was disabled, revoked or has a role that allows less. */
const REQUESTER_LOST_ACCESS = 'REQUESTER_LOST_ACCESS';

/**
 * Ends what a person or a key of ops has started and may no longer finish: its links of invitations and
 * exports, and its change requests that are not made yet. Requests by others stay, also requests about it.
 * @param actorId of the person, who is locked, or of the key
 */
export async function endOpsAccess(
  tx: Transaction,
  { by, actorId }: { by: Audited['by']; actorId: string },
): Promise<void> {
  const held = { heldBy: actorId, usedAt: IsNull() };
  await tx.manager.update(StaffInvitationRow, held, { usedAt: () => 'now()' });
  const ended = await query<ChangeRequest>(
    tx,
    `UPDATE change_requests SET status = 'failed', failure = $2, sealed_payload = NULL
      WHERE requested_by = $1
        AND (status = 'pending' OR (status = 'approved' AND kind = ANY ($3)))
      RETURNING *`,
    [actorId, REQUESTER_LOST_ACCESS, COLLECTED],
  );
  for (const { id: objectId, kind, targetId } of ended) {
    const details = { kind, targetId, failure: REQUESTER_LOST_ACCESS };
    await recordAudit(tx, { by, action: 'change.failed', objectId, details });
  }
  const elsewhere = ended.filter(({ kind }) => CHANGE_KINDS[kind].owner !== 'accounts');
  await appendToOutbox(tx, [
    ...elsewhere.flatMap((change) => decisionRows(change, false)),
    ...outboxRows(opsAccessEnded, { id: newId(), version: 1 }, { actorId }),
  ]);
}
