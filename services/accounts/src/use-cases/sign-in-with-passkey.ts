import type { NewStaffSession, PasskeySignIn } from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { takeChallenge } from '../db/staff-challenges.repository';
import { findCredential, noteSignature } from '../db/staff-credentials.repository';
import { challengeIn } from '../domain/passkey-challenge';
import { hashOfToken } from '../domain/secret-token';
import { openStaffSession } from '../steps/open-staff-session';

/**
 * Signs in with a passkey, or confirms a session with one.
 * @throws AppError SIGN_IN_NOT_VALID
 */
export async function signInWithPasskey(
  { db, passkeys }: Context,
  { response, sessionToken, address, agent }: PasskeySignIn,
): Promise<NewStaffSession> {
  const challenge = challengeIn(response);
  const { id } = response as { id?: unknown };
  if (challenge === undefined || typeof id !== 'string') throw new AppError('SIGN_IN_NOT_VALID');
  const begun = await takeChallenge(db, hashOfToken(challenge), 'sign-in');
  if (begun === undefined) throw new AppError('SIGN_IN_NOT_VALID');
  const credential = await findCredential(db, id);
  if (credential === undefined) throw new AppError('SIGN_IN_NOT_VALID');
  const counter = await passkeys.verifySignature(response, challenge, credential);
  if (counter === undefined) throw new AppError('SIGN_IN_NOT_VALID');

  const { staffId } = credential;
  return db.transaction(async (tx) => {
    if (!(await noteSignature(tx, id, counter))) throw new AppError('SIGN_IN_NOT_VALID');
    const method = 'passkey';
    return openStaffSession(tx, { staffId, method, replaces: sessionToken, address, agent });
  });
}
