import type { StaffSessionQuestion, StaffToken } from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { touchSession } from '../db/staff-sessions.repository';
import { signStaffToken } from '../domain/access-token';
import { hashOfToken } from '../domain/secret-token';

/**
 * Turns a session into a credential of the API for five minutes, which ends with the session.
 * @throws AppError UNAUTHORIZED when the session has ended
 */
export async function issueStaffToken(
  { db, clock, accessTokenKeys }: Context,
  { sessionToken }: StaffSessionQuestion,
): Promise<StaffToken> {
  const session = await touchSession(db, hashOfToken(sessionToken));
  if (session === undefined) throw new AppError('UNAUTHORIZED');
  const { id: sessionId, staffId, name, role } = session;
  const accessToken = await signStaffToken(
    accessTokenKeys.signing,
    { staffId, sessionId },
    clock.now(),
  );
  const authTime = session.authTime.toISOString();
  return { accessToken, sessionId, staffId, name, role, authTime };
}
