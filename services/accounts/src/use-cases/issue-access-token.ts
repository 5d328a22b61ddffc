import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findKeyById } from '../db/api-keys.repository';
import { signAccessToken } from '../domain/access-token';

/**
 * Turns the key that was called with into an access token of one hour.
 * @throws AppError UNAUTHORIZED for a caller with an access token, and for a key that was revoked
 * while the gateway still trusted it
 */
export async function issueAccessToken(
  { db, clock, accessTokenKeys }: Context,
  by: Caller,
): Promise<string> {
  const { id: ownerId, kind, keyId } = by;
  if (keyId === undefined) throw new AppError('UNAUTHORIZED');

  const { signing, opsKeyIds } = accessTokenKeys;
  const isLive = opsKeyIds.includes(keyId) || (await findKeyById(db, keyId))?.isLive === true;
  if (!isLive) throw new AppError('UNAUTHORIZED');
  return signAccessToken(signing, { ownerId, kind, keyId }, clock.now());
}
