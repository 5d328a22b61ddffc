import { createHmac, randomBytes } from 'node:crypto';
import { UsageError } from '../command-options';

/** As Fiado: an answer that takes longer has failed. */
const TIMEOUT_MS = 15_000;
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface Webhook {
  id: string;
  /** Seconds since 1970; the header is not sent for ''. */
  timestamp: number | string;
  body: string;
}

export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** @throws UsageError for a text that is no secret */
export function checkSecret(secret: string): void {
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) {
    throw new UsageError('--secret must be whsec_ and base64');
  }
}

/** The `v1` signature of a webhook. */
export function signed({ id, timestamp, body }: Webhook, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** @param signature the header; none is sent for '' */
export function postWebhook(
  url: string | URL,
  { id, timestamp, body }: Webhook,
  signature: string,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      ...(timestamp !== '' && { 'webhook-timestamp': String(timestamp) }),
      ...(signature !== '' && { 'webhook-signature': signature }),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
