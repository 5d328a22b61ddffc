import type { PasskeyOptions } from '@fiado/contracts/staff-sign-in';
import type { Context } from '../context';
import { insertChallenge } from '../db/staff-challenges.repository';
import { CHALLENGE_LIFE_MS } from '../domain/staff-session';
import { hashOfToken } from '../domain/secret-token';

/** Begins a sign-in with whichever passkey the browser has: nobody says yet who it is. */
export async function beginPasskeySignIn({ db, passkeys }: Context): Promise<PasskeyOptions> {
  const options = await passkeys.requestOptions();
  const hash = hashOfToken(options.challenge);
  await insertChallenge(db, { hash, purpose: 'sign-in' }, CHALLENGE_LIFE_MS);
  return { options };
}
