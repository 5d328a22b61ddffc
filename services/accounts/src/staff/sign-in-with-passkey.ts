import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import { beginPasskeySignInCall, passkeySignInCall } from '@fiado/contracts/staff-sign-in';
import type { Context } from '../context';
import { hashOfToken } from '../keys/secrets';
import { challengeIn } from './passkeys';
import {
  CHALLENGE_LIFE_MS,
  insertChallenge,
  type StaffCredential,
  takeChallenge,
} from './sign-in.sql';
import { openStaffSession } from './staff-session';

export const beginPasskeySignInEndpoint = internalEndpoint({
  call: beginPasskeySignInCall,
  allow: ['anonymous'],
  // Begins a sign-in with any passkey of the browser: the person is not known yet.
  handle: async ({ db, passkeys }: Context) => {
    const options = await passkeys.requestOptions();
    const hash = hashOfToken(options.challenge);
    await insertChallenge(db, { hash, purpose: 'sign-in' }, CHALLENGE_LIFE_MS);
    return { options };
  },
});

export const signInWithPasskeyEndpoint = internalEndpoint({
  call: passkeySignInCall,
  allow: ['anonymous'],
  // Signs in with a passkey, or confirms a session with one.
  handle: async ({ db, passkeys }: Context, { response, sessionToken, address, agent }) => {
    const challenge = challengeIn(response);
    const { id } = response as { id?: unknown };
    if (challenge === undefined || typeof id !== 'string') throw new AppError('SIGN_IN_NOT_VALID');
    const begun = await takeChallenge(db, hashOfToken(challenge), 'sign-in');
    if (begun === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    // The passkey with that id, of a person who may sign in.
    const credential = await queryRow<StaffCredential>(
      db,
      `SELECT c.id, c.staff_id, c.public_key, c.counter
         FROM staff_credentials c JOIN staff s ON s.id = c.staff_id
        WHERE c.id = $1 AND s.disabled_at IS NULL`,
      [id],
    );
    if (credential === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    const counter = await passkeys.verifySignature(response, challenge, credential);
    if (counter === undefined) throw new AppError('SIGN_IN_NOT_VALID');

    const { staffId } = credential;
    return db.transaction(async (tx) => {
      if (!(await noteSignature(tx, id, counter))) throw new AppError('SIGN_IN_NOT_VALID');
      const method = 'passkey';
      return openStaffSession(tx, { staffId, method, replaces: sessionToken, address, agent });
    });
  },
});

/**
 * Notes a signature. @returns false when the passkey is gone, or another signature with this count
 * was accepted meanwhile
 */
async function noteSignature(tx: Db, id: string, counter: number): Promise<boolean> {
  const noted = await query(
    tx,
    `UPDATE staff_credentials SET counter = $2, last_used_at = now()
      WHERE id = $1 AND (counter < $2 OR $2 = 0) RETURNING id`,
    [id, counter],
  );
  return noted.length === 1;
}
