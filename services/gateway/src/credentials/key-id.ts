import type { Caller } from '@fiado/contracts/caller';

/**
 * The API key that a credential is or was made from; undefined when neither accounts nor the
 * credential says so. An access token names its key in its claims. They are only read, not
 * verified, here: accounts has checked the token's signature when it said who calls.
 */
export function keyIdOf(credential: string, caller: Caller): string | undefined {
  return caller.keyId ?? keyIdInToken(credential);
}

function keyIdInToken(token: string): string | undefined {
  const claims = token.split('.')[1];
  if (claims === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const { keyId } = Object(parsed) as { keyId?: unknown };
    return typeof keyId === 'string' ? keyId : undefined;
  } catch {
    // Not a token, but a key that contains dots.
    return undefined;
  }
}
