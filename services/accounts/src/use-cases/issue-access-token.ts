import type { Caller } from '@fiado/shared/chassis/internal-token';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { findLiveKeyById } from '../db/api-keys.repository';
import { signAccessToken } from '../domain/access-token';

/**
 * Turns the key that was called with into an access token of one hour.
 * @throws AppError UNAUTHORIZED for a caller with an access token, which is exchanged for none,
 *   and for a key that was revoked while the gateway still trusted it
 */
export async function issueAccessToken(
  { db, clock, signingKeys, opsKeyId }: Context,
  by: Caller,
): Promise<string> {
  const { id: ownerId, kind, keyId } = by;
  if (keyId === undefined) throw new AppError('UNAUTHORIZED');

  const isLive =
    kind === 'ops' ? keyId === opsKeyId : (await findLiveKeyById(db, keyId)) !== undefined;
  if (!isLive) throw new AppError('UNAUTHORIZED');
  return signAccessToken(signingKeys, { ownerId, kind, keyId }, clock.now());
}
