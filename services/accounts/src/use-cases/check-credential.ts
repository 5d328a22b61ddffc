import type { Caller } from '@fiado/shared/chassis/internal-token';
import { AppError } from '@fiado/shared/contracts/errors';
import { SCOPES_OF_KIND } from '@fiado/shared/contracts/scopes';
import type { Context } from '../context';
import {
  findLiveKeyByHash,
  findLiveKeyById,
  noteLastUse,
  type LiveKey,
} from '../db/api-keys.repository';
import { looksLikeAccessToken, readAccessToken } from '../domain/access-token';
import { hashOfKey, isSameKey } from '../domain/api-key';

const OPS: Caller = { kind: 'ops', id: 'ops', name: 'ops', scopes: [] };

/**
 * Says whose credential this is: a key's or an access token's.
 * @throws AppError UNAUTHORIZED when it is unknown, forged, expired or revoked
 */
export async function checkCredential(context: Context, credential: string): Promise<Caller> {
  const { db, config, opsKeyId } = context;
  if (isSameKey(credential, config.OPS_API_KEY)) return { ...OPS, keyId: opsKeyId };
  if (looksLikeAccessToken(credential)) return checkAccessToken(context, credential);

  const key = await findLiveKeyByHash(db, hashOfKey(credential));
  if (key === undefined) throw new AppError('UNAUTHORIZED');
  noteUse(context, key);
  return { ...ownerOf(key), keyId: key.apiKeyId };
}

/** A token says which key it came from; what it allows, and whether it still does, says the key. */
async function checkAccessToken(context: Context, token: string): Promise<Caller> {
  const { db, clock, signingKeys, opsKeyId } = context;
  const claims = await readAccessToken(signingKeys, token, clock.now());
  if (claims === undefined) throw new AppError('UNAUTHORIZED');
  if (claims.kind === 'ops' && claims.keyId === opsKeyId) return { ...OPS };
  if (claims.kind === 'ops') throw new AppError('UNAUTHORIZED');

  const key = await findLiveKeyById(db, claims.keyId);
  if (key === undefined) throw new AppError('UNAUTHORIZED');
  noteUse(context, key);
  return ownerOf(key);
}

function ownerOf(key: LiveKey): Caller {
  return {
    kind: key.kind,
    id: key.ownerId,
    name: key.ownerName,
    scopes: key.scopes ?? [...SCOPES_OF_KIND[key.kind]],
    ...(key.timeZone === null ? {} : { timeZone: key.timeZone }),
  };
}

/** Not on the caller's time; a note that is lost is made up for by the next use. */
function noteUse({ db, log }: Context, { apiKeyId, lastUseIsStale }: LiveKey): void {
  if (!lastUseIsStale) return;
  void noteLastUse(db, apiKeyId).catch((error: unknown) =>
    log.warn({ err: error, apiKeyId }, 'the last use of a key was not noted'),
  );
}
