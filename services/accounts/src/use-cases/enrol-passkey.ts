import type { NewStaffSession, PasskeyEnrolment } from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { useInvitation } from '../db/staff.repository';
import { takeChallenge } from '../db/staff-challenges.repository';
import { replaceCredentials } from '../db/staff-credentials.repository';
import { endSessionsOf } from '../db/staff-sessions.repository';
import { challengeIn } from '../domain/passkey-challenge';
import { staffActor } from '../domain/staff-actor';
import { hashOfToken } from '../domain/secret-token';
import { openStaffSession } from '../steps/open-staff-session';

/**
 * Makes a new passkey the person's only one, uses the invitation up and signs in. The person's other
 * sessions end, because the invitation may stand for a lost passkey.
 * @throws AppError SIGN_IN_NOT_VALID
 */
export async function enrolPasskey(
  { db, passkeys }: Context,
  { invitationToken, response, address, agent }: PasskeyEnrolment,
): Promise<NewStaffSession> {
  const challenge = challengeIn(response);
  if (challenge === undefined) throw new AppError('SIGN_IN_NOT_VALID');
  const begun = await takeChallenge(db, hashOfToken(challenge), 'enrol');
  if (begun === undefined) throw new AppError('SIGN_IN_NOT_VALID');
  const passkey = await passkeys.verifyCreation(response, challenge);
  if (passkey === undefined) throw new AppError('SIGN_IN_NOT_VALID');

  return db.transaction(async (tx) => {
    const staffId = await useInvitation(tx, hashOfToken(invitationToken));
    if (staffId === undefined || staffId !== begun.staffId) throw new AppError('SIGN_IN_NOT_VALID');
    const isNew = await replaceCredentials(tx, { ...passkey, staffId });
    if (!isNew) throw new AppError('SIGN_IN_NOT_VALID');
    await endSessionsOf(tx, staffId);
    const by = staffActor(staffId);
    await recordAudit(tx, { by, action: 'staff.passkey-enrolled', objectId: staffId });
    return openStaffSession(tx, { staffId, method: 'passkey', address, agent });
  });
}
