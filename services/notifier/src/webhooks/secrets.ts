import type { Sealer } from '@fiado/chassis/keys/sealing';
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type JsonWebKey,
} from 'node:crypto';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import { newId } from '@fiado/contracts/new-id';
import { WEBHOOK_SECRET_PURPOSE, WebhookSecretRow } from './webhook-secret.entity';

/** Symmetric (HMAC-SHA256) and asymmetric (Ed25519) signatures of the Standard Webhooks. */
export const SIGNATURE_KINDS = ['v1', 'v1a'] as const;
export type SignatureKind = (typeof SIGNATURE_KINDS)[number];
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';

/** The signed parts, joined by dots. */
interface Signed {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** A secret as it is sealed, and what verifies an asymmetric one. */
export interface NewSecret {
  kind: SignatureKind;
  /** v1: the text that receivers get, `whsec_…`. v1a: the private key as JWK. */
  secret: string;
  /** `whpk_` and the raw key; null for v1. */
  publicKey: string | null;
}

export function newSecret(kind: SignatureKind): NewSecret {
  if (kind === 'v1') {
    const secret = `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { kind, secret, publicKey: null };
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const raw = Buffer.from(x, 'base64url').toString('base64');
  const secret = JSON.stringify(privateKey.export({ format: 'jwk' }));
  return { kind, secret, publicKey: `${PUBLIC_KEY_PREFIX}${raw}` };
}

/** The header `webhook-signature`: one signature for each secret. */
export function signatureHeader(
  secrets: Array<Pick<NewSecret, 'kind' | 'secret'>>,
  signed: Signed,
): string {
  const content = `${signed.id}.${signed.timestamp}.${signed.body}`;
  return secrets
    .map(({ kind, secret }) => `${kind},${signatureOf(kind, secret, content)}`)
    .join(' ');
}

function signatureOf(kind: SignatureKind, secret: string, content: string): string {
  if (kind === 'v1') {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return createHmac('sha256', key).update(content).digest('base64');
  }
  const key = createPrivateKey({ key: JSON.parse(secret) as JsonWebKey, format: 'jwk' });
  return sign(null, Buffer.from(content), key).toString('base64');
}

/** Makes a secret of an endpoint. It rests sealed under the id of its row. */
export async function addSecret(
  tx: Transaction,
  { sealer }: { sealer: Sealer },
  endpointId: string,
  kind: SignatureKind,
): Promise<NewSecret> {
  const made = newSecret(kind);
  const id = newId();
  const sealed = sealer.seal(made.secret, WEBHOOK_SECRET_PURPOSE, id);
  const { publicKey } = made;
  await tx.manager.insert(WebhookSecretRow, { id, endpointId, kind, sealed, publicKey });
  return made;
}

/** The text of a secret. @throws Error when ENCRYPTION_KEY is another */
export function openSecret(
  { sealer }: { sealer: Sealer },
  { id, sealed }: Pick<SealedSecret, 'id' | 'sealed'>,
): string {
  return sealer.open(sealed, WEBHOOK_SECRET_PURPOSE, id);
}

export type SealedSecret = Omit<WebhookSecretRow, 'createdAt' | 'expiresAt'>;

/** The secrets that sign for these endpoints now, the newest of each first. */
export function findSecrets(db: Db, endpointIds: string[]): Promise<SealedSecret[]> {
  return queryNamed<SealedSecret>(
    db,
    'find-webhook-secrets',
    `SELECT id, endpoint_id, kind, sealed, public_key
       FROM webhook_secrets
      WHERE endpoint_id = ANY ($1) AND (expires_at IS NULL OR expires_at > now())
      ORDER BY kind, created_at DESC, id DESC`,
    [endpointIds],
  );
}
