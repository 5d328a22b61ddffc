import type { InvitationQuestion, PasskeyOptions } from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findInvited } from '../db/staff.repository';
import { insertChallenge } from '../db/staff-challenges.repository';
import { CHALLENGE_LIFE_MS } from '../domain/staff-session';
import { hashOfToken } from '../domain/secret-token';

/**
 * Begins to make a passkey for an invitation.
 * @throws AppError SIGN_IN_NOT_VALID for an invitation that is none
 */
export async function beginPasskeyEnrolment(
  { db, passkeys }: Context,
  { invitationToken }: InvitationQuestion,
): Promise<PasskeyOptions> {
  const member = await findInvited(db, hashOfToken(invitationToken));
  if (member === undefined) throw new AppError('SIGN_IN_NOT_VALID');
  const options = await passkeys.creationOptions(member);
  const hash = hashOfToken(options.challenge);
  const challenge = { hash, purpose: 'enrol', staffId: member.id } as const;
  await insertChallenge(db, challenge, CHALLENGE_LIFE_MS);
  return { options };
}
