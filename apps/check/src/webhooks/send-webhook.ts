import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** As Fiado: an answer that takes longer has failed. */
const TIMEOUT_MS = 15_000;

/** The receiver that is tried. */
export interface Receiver {
  url: string;
  /** `whsec_…` */
  secret: string;
  /** Shows the state of the receiver, to see whether a webhook had an effect. */
  stateUrl: string | undefined;
}

export interface Webhook {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** An event of an order, as Fiado sends it. */
export function newWebhook(type: string, data: object = {}): Webhook {
  const id = `evt_${randomUUID()}`;
  const transaction = {
    transactionId: randomUUID(),
    transactionStatus: 'paid',
    version: 1,
    ...data,
  };
  const body = { id, type, timestamp: new Date().toISOString(), data: transaction };
  return { id, timestamp: Math.floor(Date.now() / 1_000), body: JSON.stringify(body) };
}

/** The `v1` signature of a webhook. */
export function signed({ id, timestamp, body }: Webhook, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** A `v1a` signature, of a key that the receiver may not know. */
export function signedWithAnotherKind({ id, timestamp, body }: Webhook): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64')}`;
}

/**
 * Sends a webhook.
 * @param signature the header; none is sent for undefined
 * @returns the class of the answer, such as 2xx, or why there was none
 */
export async function sendWebhook(
  { url, secret }: Receiver,
  webhook: Webhook,
  signature: string | undefined = signed(webhook, secret),
): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': webhook.id,
        'webhook-timestamp': String(webhook.timestamp),
        ...(signature !== undefined && signature !== '' && { 'webhook-signature': signature }),
      },
      body: webhook.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return `${Math.floor(response.status / 100)}xx`;
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

/** What the state URL shows; '' without one. */
export async function stateOf({ stateUrl }: Receiver): Promise<string> {
  return stateUrl === undefined ? '' : (await fetch(stateUrl)).text();
}
