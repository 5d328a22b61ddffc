import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import {
  beginPasskeyEnrolmentCall,
  enrolPasskeyCall,
  type InvitationAnswer,
  type InvitationQuestion,
  type InvitationSignIn,
  invitationSignInCall,
  type NewStaffSession,
  openInvitationCall,
  type PasskeyEnrolment,
  type PasskeyOptions,
} from '@fiado/contracts/staff-sign-in';
import { recordAudit, opsActor } from '../audit/audit-log';
import type { Context } from '../context';
import { hashOfToken } from '../keys/secrets';
import { challengeIn } from './passkeys';
import { endSessionsOf } from './sessions.sql';
import {
  CHALLENGE_LIFE_MS,
  insertChallenge,
  replaceCredentials,
  takeChallenge,
} from './sign-in.sql';
import { openStaffSession } from './staff-session';
import { findInvited, useInvitation } from './staff.sql';

export const openInvitationEndpoint = internalEndpoint({
  call: openInvitationCall,
  allow: ['anonymous'],
  handle: openInvitation,
});

export const beginPasskeyEnrolmentEndpoint = internalEndpoint({
  call: beginPasskeyEnrolmentCall,
  allow: ['anonymous'],
  handle: beginPasskeyEnrolment,
});

export const enrolPasskeyEndpoint = internalEndpoint({
  call: enrolPasskeyCall,
  allow: ['anonymous'],
  handle: enrolPasskey,
});

export const signInByInvitationEndpoint = internalEndpoint({
  call: invitationSignInCall,
  allow: ['anonymous'],
  handle: async (context: Context, signIn) => signInByInvitation(context, signIn),
});

/** Whom an invitation is for. Changes nothing, because previews of links open it too. */
async function openInvitation(
  { db, config }: Context,
  { invitationToken }: InvitationQuestion,
): Promise<InvitationAnswer> {
  const member = await findInvited(db, hashOfToken(invitationToken));
  if (member === undefined) return { valid: false };
  const { name, email, role } = member;
  return { valid: true, name, email, role, passkeyOptional: config.FIADO_MODE === 'sandbox' };
}

/**
 * Begins to make a passkey for an invitation.
 * @throws AppError SIGN_IN_NOT_VALID for an invitation that is none
 */
async function beginPasskeyEnrolment(
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

/**
 * Makes a new passkey the person's only one, uses the invitation up and signs in. The person's other
 * sessions end, because the invitation may stand for a lost passkey.
 * @throws AppError SIGN_IN_NOT_VALID
 */
async function enrolPasskey(
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
    const by = opsActor(staffId);
    await recordAudit(tx, { by, action: 'staff.passkey-enrolled', objectId: staffId });
    return openStaffSession(tx, { staffId, method: 'passkey', address, agent });
  });
}

/**
 * Signs in by an invitation alone, which is used up: how a newcomer enters a sandbox.
 * @throws AppError SIGN_IN_NOT_VALID, always in production
 */
function signInByInvitation(
  { db, config }: Context,
  { invitationToken, address, agent }: InvitationSignIn,
): Promise<NewStaffSession> {
  if (config.FIADO_MODE !== 'sandbox') throw new AppError('SIGN_IN_NOT_VALID');
  return db.transaction(async (tx) => {
    const staffId = await useInvitation(tx, hashOfToken(invitationToken));
    if (staffId === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    return openStaffSession(tx, { staffId, method: 'sandbox-link', address, agent });
  });
}
