import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { endOwnSession as endSession } from '../db/staff-sessions.repository';

/**
 * Ends one of the caller's own sessions.
 * @throws AppError STAFF_SESSION_NOT_FOUND when the caller has no such session, or it has ended
 */
export async function endOwnSession(
  { db }: Context,
  { by, sessionId }: { by: Caller; sessionId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await endSession(tx, by.id, sessionId))) throw new AppError('STAFF_SESSION_NOT_FOUND');
    const action = 'staff.session-ended';
    await recordAudit(tx, { by, action, objectId: by.id, details: { sessionId } });
  });
}
