import type { Transaction } from '@fiado/chassis/db/database';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_TARGET_CHANGED, type ChangeKindName } from '@fiado/contracts/change-requests';
import { recordAudit } from '../db/audit-log.repository';
import { failPendingChanges } from '../db/waiting-changes.repository';

/** The changes of an object that wait for a second person. */
interface WaitingChanges {
  /** Who changed the object. */
  by: Pick<Caller, 'kind' | 'id'>;
  kind: ChangeKindName;
  targetId: string;
  /** Changes of this version of the object stay. */
  exceptVersion?: number | undefined;
}

/**
 * Ends the undecided changes of an object that has been changed since: they fail with
 * CHANGE_TARGET_CHANGED, so that nobody approves them and others may be asked for. The caller has locked
 * the object.
 */
export async function endWaitingChanges(
  tx: Transaction,
  { by, kind, targetId, exceptVersion }: WaitingChanges,
): Promise<void> {
  const failed = await failPendingChanges(tx, {
    kind,
    targetId,
    exceptVersion,
    failure: CHANGE_TARGET_CHANGED,
  });
  for (const objectId of failed) {
    const details = { kind, targetId, failure: CHANGE_TARGET_CHANGED };
    await recordAudit(tx, { by, action: 'change.failed', objectId, details });
  }
}
