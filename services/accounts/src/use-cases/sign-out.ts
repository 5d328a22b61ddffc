import type { StaffSessionQuestion } from '@fiado/contracts/staff-sign-in';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { endSessionByToken } from '../db/staff-sessions.repository';
import { staffActor } from '../domain/staff-actor';
import { hashOfToken } from '../domain/secret-token';

/** Ends a session; ending it again changes nothing. */
export async function signOut(
  { db }: Context,
  { sessionToken }: StaffSessionQuestion,
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await endSessionByToken(tx, hashOfToken(sessionToken));
    if (ended === undefined) return;
    const { id: sessionId, staffId } = ended;
    const by = staffActor(staffId);
    const action = 'staff.session-ended';
    await recordAudit(tx, { by, action, objectId: staffId, details: { sessionId } });
  });
}
