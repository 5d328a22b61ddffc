import { AppError } from '@fiado/contracts/errors';
import type { CheckedCredential, CredentialChecker } from '../credentials/credential-checker';

const SCHEME = /^(?:bearer|apikey)\s+/i;
/** Longer than any key or access token. */
const MAX_CREDENTIAL_LENGTH = 4_096;

/**
 * Guard: who calls, by the header `Authorization: <credential>`, with the scheme Bearer or ApiKey
 * or none.
 * @param address whose wrong credentials are counted together
 * @throws AppError UNAUTHORIZED, RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE
 */
export async function authenticate(
  credentials: CredentialChecker,
  authorization: string | undefined,
  address: string,
): Promise<CheckedCredential> {
  const credential = credentialOf(authorization);
  if (credential === undefined) throw new AppError('UNAUTHORIZED');
  return credentials.check(credential, address);
}

/** The credential without its scheme; undefined when there is none or it is no credential. */
function credentialOf(authorization: string | undefined): string | undefined {
  const credential = authorization?.trim().replace(SCHEME, '');
  if (credential === undefined || credential === '') return undefined;
  return credential.length > MAX_CREDENTIAL_LENGTH ? undefined : credential;
}
