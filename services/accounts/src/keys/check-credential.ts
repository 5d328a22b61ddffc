import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { type Caller, includedOpsScopes, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { checkCredentialCall, type CredentialAnswer } from '@fiado/contracts/credential';
import { AppError, defaultErrorShape } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { HOST } from '../staff/roots.sql';
import { findLiveSession } from '../staff/sessions.sql';
import {
  type AccessTokenClaims,
  looksLikeAccessToken,
  readAccessToken,
  STAFF_KIND,
} from './access-token';
import { type KnownKey, LAST_USE_SECONDS } from './known-keys.sql';
import { hashOfToken, isSameKey } from './secrets';

/** The caller with OPS_API_KEY: the first admin. */
const FIRST_ADMIN: Caller = {
  kind: 'ops',
  id: HOST,
  name: 'ops',
  scopes: includedOpsScopes('admin'),
};

export const checkCredentialEndpoint = internalEndpoint({
  call: checkCredentialCall,
  allow: ['service:gateway'],
  // The gateway logs and audits whose key it was; undefined is left out of JSON.
  errorShape: (error) => ({ ...defaultErrorShape(error), keyId: error.keyId }),
  handle: (context: Context, { credential }) => checkCredential(context, credential),
});

/**
 * Finds the caller of a credential, which is a key or an access token.
 * @throws AppError UNAUTHORIZED when it is unknown, forged, expired or revoked, with the id of its
 * key where that is known
 */
async function checkCredential(context: Context, credential: string): Promise<CredentialAnswer> {
  const { config, accessTokenKeys } = context;
  if (isSameKey(credential, config.OPS_API_KEY)) {
    return { caller: { ...FIRST_ADMIN, keyId: accessTokenKeys.opsKeyIds[0] } };
  }
  if (looksLikeAccessToken(credential)) return checkAccessToken(context, credential);

  const key = await context.lanes.keysByHash.add(hashOfToken(credential));
  if (key?.isLive !== true) throw new AppError('UNAUTHORIZED', { keyId: key?.apiKeyId });
  noteUse(context, key);
  return { caller: { ...ownerOf(key), keyId: key.apiKeyId }, ...proofOf(context, key) };
}

/** A token only names its key; its scopes and validity are those of the key. */
async function checkAccessToken(context: Context, token: string): Promise<CredentialAnswer> {
  const { clock, accessTokenKeys, lanes } = context;
  const claims = await readAccessToken(accessTokenKeys, token, clock.now());
  if (claims === undefined) throw new AppError('UNAUTHORIZED');
  if (claims.isExpired) throw new AppError('UNAUTHORIZED', { keyId: claims.keyId });
  if (claims.kind === STAFF_KIND) return { caller: await staffCaller(context, claims) };
  if (accessTokenKeys.opsKeyIds.includes(claims.keyId)) return { caller: { ...FIRST_ADMIN } };

  const key = await lanes.keysById.add(claims.keyId);
  if (key?.isLive !== true) throw new AppError('UNAUTHORIZED', { keyId: claims.keyId });
  noteUse(context, key);
  return { caller: ownerOf(key), ...proofOf(context, key) };
}

/**
 * The person of a session, with the role of now.
 * @throws AppError UNAUTHORIZED when the session has ended
 */
async function staffCaller(
  { db }: Context,
  { keyId: sessionId }: AccessTokenClaims,
): Promise<Caller> {
  const session = await findLiveSession(db, sessionId);
  if (session === undefined) throw new AppError('UNAUTHORIZED', { keyId: sessionId });
  return {
    kind: 'ops',
    id: session.staffId,
    name: session.name,
    scopes: includedOpsScopes(session.role),
    staff: { authTime: session.authTime.toISOString() },
  };
}

function proofOf({ sealer }: Context, key: KnownKey): Pick<CredentialAnswer, 'proof'> {
  const { ownerId, allowedAddresses, signatureRequired, signingSecrets } = key;
  if (allowedAddresses === null || signatureRequired === null) return {};
  return {
    proof: {
      allowedAddresses,
      signatureRequired,
      signingSecrets: signingSecrets.map((sealed) =>
        sealer.open(sealed, PURPOSE.signingSecret, ownerId),
      ),
    },
  };
}

function ownerOf(key: KnownKey): Caller {
  const scopes = key.scopes ?? [...SCOPES_OF_KIND[key.kind]];
  return {
    kind: key.kind,
    id: key.ownerId,
    name: key.ownerName,
    scopes: key.opsScope === null ? scopes : includedOpsScopes(key.opsScope),
    ...(key.timeZone === null ? {} : { timeZone: key.timeZone }),
  };
}

/** Not awaited: if this update is lost, the next use repeats it. */
function noteUse({ db, log }: Context, key: KnownKey): void {
  if (!key.lastUseIsStale) return;
  void noteLastUse(db, key).catch((error: unknown) =>
    log.warn({ err: error, apiKeyId: key.apiKeyId }, 'last use of a key not recorded'),
  );
}

/** Records the last use of a key at most once a minute; the condition prevents parallel updates. */
async function noteLastUse(db: Db, { apiKeyId, kind }: KnownKey): Promise<void> {
  await query(
    db,
    `UPDATE ${kind === 'ops' ? 'ops_keys' : 'api_keys'} SET last_used_at = now()
      WHERE id = $1
        AND (last_used_at IS NULL OR last_used_at < now() - make_interval(secs => $2))`,
    [apiKeyId, LAST_USE_SECONDS],
  );
}
