import type {
  IdentityProviderAnswer,
  IdentityProviderQuestion,
} from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { insertChallenge } from '../db/staff-challenges.repository';
import { IDENTITY_PROVIDER_LIFE_MS, SESSION_LIFE_MS } from '../domain/staff-session';
import { newSecretToken } from '../domain/secret-token';

/** How long ago a person who confirms a session may have signed in there, in seconds. */
const MAX_AGE_AGAIN = 60;

/**
 * Begins a sign-in at the identity provider.
 * @throws AppError SIGN_IN_NOT_VALID where there is none, SERVICE_UNAVAILABLE when it does not answer
 */
export async function beginIdentityProviderSignIn(
  { db, identityProvider }: Context,
  { again }: IdentityProviderQuestion,
): Promise<IdentityProviderAnswer> {
  if (identityProvider === undefined) throw new AppError('SIGN_IN_NOT_VALID');
  const maxAge = again ? MAX_AGE_AGAIN : SESSION_LIFE_MS / 1000;
  const { url, ...begun } = await identityProvider.begin(maxAge);
  const { token, tokenHash: hash } = newSecretToken('fiado_login_');
  const challenge = { hash, purpose: 'identity-provider', ...begun } as const;
  await insertChallenge(db, challenge, IDENTITY_PROVIDER_LIFE_MS);
  return { url, loginToken: token };
}
