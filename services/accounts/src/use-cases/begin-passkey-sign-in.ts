import type { PasskeyOptions } from '@fiado/shared/contracts/staff-sign-in';
import type { Context } from '../context';
import { insertChallenge } from '../db/staff-challenges.repository';
import { CHALLENGE_LIFE_MS, hashOfStaffToken } from '../domain/staff-session';

/** Begins a sign-in with whichever passkey the browser has: nobody says yet who it is. */
export async function beginPasskeySignIn({ db, passkeys }: Context): Promise<PasskeyOptions> {
  const options = await passkeys.requestOptions();
  const hash = hashOfStaffToken(options.challenge);
  await insertChallenge(db, { hash, purpose: 'sign-in' }, CHALLENGE_LIFE_MS);
  return { options };
}
