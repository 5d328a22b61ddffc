import { FiadoWebhookError } from './errors';
import type { FiadoEvent } from './types';

/** How far the clock of the sender may be off, as the Standard Webhooks propose. */
const TOLERANCE_SECONDS = 300;
/** The shortest that the Standard Webhooks allow. */
const MIN_SECRET_BYTES = 24;
const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';

/** The headers of a request, as Node's `req.headers` or as those of `fetch`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

export interface UnwrapOptions {
  /** Default 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970, for tests. Default: now. */
  now?: number;
}

/**
 * Verifies a webhook and gives its event.
 * @param body as it arrived: JSON that is parsed and printed again has another signature
 * @param secrets `whsec_…`, or the endpoint's public key `whpk_…`; several while one is replaced
 * @throws FiadoWebhookError if it must not be trusted
 */
export function unwrapWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: UnwrapOptions = {},
): FiadoEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new FiadoWebhookError('bad-body', 'pass the body as it arrived, not parsed');
  }
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature').split(' ');
  const ageSeconds = Math.abs(now / 1_000 - Number(timestamp));
  // Not "is too old": a timestamp that is no number must be refused as well.
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new FiadoWebhookError('old-timestamp', `webhook-timestamp is ${ageSeconds} s off`);
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = bytes(`${id}.${timestamp}.`, body);
  const isGenuine = [secrets].flat().some((secret) => verifies(secret, signed, signatures));
  if (!isGenuine) {
    throw new FiadoWebhookError('wrong-signature', 'no signature fits: is the secret right?');
  }
  try {
    return JSON.parse(text) as FiadoEvent;
  } catch {
    throw new FiadoWebhookError('bad-body', 'the body is not JSON');
  }
}

function verifies(secret: string, signed: Buffer, signatures: readonly string[]): boolean {
  const { createHmac, createPublicKey, timingSafeEqual, verify } = nodeCrypto();
  const given = (kind: string): Buffer[] =>
    signatures
      .filter((one) => one.startsWith(`${kind},`))
      .map((one) => Buffer.from(one.slice(kind.length + 1), 'base64'));
  if (secret.startsWith(PUBLIC_KEY_PREFIX)) {
    const x = Buffer.from(secret.slice(PUBLIC_KEY_PREFIX.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return given('v1a').some((signature) => verify(null, signed, key, signature));
  }
  if (!secret.startsWith(SECRET_PREFIX))
    throw new TypeError('a secret begins with whsec_ or whpk_');
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  // Also what is cut off, and an empty one, with which anybody could sign.
  if (key.length < MIN_SECRET_BYTES) {
    throw new TypeError(`a secret has at least ${MIN_SECRET_BYTES} bytes: is it cut off?`);
  }
  const expected = createHmac('sha256', key).update(signed).digest();
  return given('v1').some(
    (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
  );
}

function bytes(prefix: string, body: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(prefix), typeof body === 'string' ? Buffer.from(body) : body]);
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Record<string, string | readonly string[] | undefined>)[name];
  const text = typeof value === 'object' ? value?.[0] : value;
  if (text === undefined || text === null || text === '') {
    throw new FiadoWebhookError('missing-header', `${name} is missing`);
  }
  return text;
}

/** Not an import: bundlers for browsers, where no webhook arrives, refuse one. */
function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}
