import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import {
  beginPasskeySignInCall,
  type NewStaffSession,
  type PasskeyOptions,
  type PasskeySignIn,
  passkeySignInCall,
} from '@fiado/contracts/staff-sign-in';
import type { Context } from '../context';
import { hashOfToken } from '../keys/secrets';
import { challengeIn } from './passkeys';
import {
  CHALLENGE_LIFE_MS,
  findCredential,
  insertChallenge,
  noteSignature,
  takeChallenge,
} from './sign-in.sql';
import { openStaffSession } from './staff-session';

export const beginPasskeySignInEndpoint = internalEndpoint({
  call: beginPasskeySignInCall,
  allow: ['anonymous'],
  handle: beginPasskeySignIn,
});

export const signInWithPasskeyEndpoint = internalEndpoint({
  call: passkeySignInCall,
  allow: ['anonymous'],
  handle: signInWithPasskey,
});

/** Begins a sign-in with whichever passkey the browser has: nobody says yet who it is. */
async function beginPasskeySignIn({ db, passkeys }: Context): Promise<PasskeyOptions> {
  const options = await passkeys.requestOptions();
  const hash = hashOfToken(options.challenge);
  await insertChallenge(db, { hash, purpose: 'sign-in' }, CHALLENGE_LIFE_MS);
  return { options };
}

/**
 * Signs in with a passkey, or confirms a session with one.
 * @throws AppError SIGN_IN_NOT_VALID
 */
async function signInWithPasskey(
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
