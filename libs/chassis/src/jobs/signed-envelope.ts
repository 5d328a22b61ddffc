import { sign, verify, type KeyObject } from 'node:crypto';
import type { ProcessName } from '@fiado/contracts/process-names';
import type { ProcessKeys } from '../keys/process-keys';
import type { Envelope, QueueName } from '@fiado/contracts/define';

/** Prefix of the signed text, so that a job's signature is not valid for anything else. */
const SIGNED_FOR = 'fiado job\n';
/**
 * Life of a signature, in milliseconds: 28 days, shorter than a consumer's inbox remembers the job
 * (30 days), so that a copy of an old job has no second effect. The relay signs a job each time it
 * adds it.
 */
const SIGNATURE_LIFE_MS = 28 * 24 * 3_600_000;

/**
 * A job's envelope as it lies in a queue. Kept as text, because a queue in Postgres reorders the
 * fields of an object, and the signature is over these bytes.
 */
export interface SignedEnvelope {
  text: string;
  keyId: string;
  /** Ed25519, in base64url. */
  signature: string;
}

/** What the text of a signed envelope holds. */
interface Content {
  /** The only queue that the job is for. */
  queue: string;
  signedAt: number;
  envelope: Envelope;
}

/** A job and who sent it. */
export interface SentJob {
  envelope: Envelope;
  producer: ProcessName;
}

/** A job with its sender, or the reason why it is refused. */
export type OpenedEnvelope = (SentJob & { refusal?: undefined }) | { refusal: string };

/** Signs a job as the process that these keys are of. */
export async function signEnvelope(
  { privateKey, keyId }: ProcessKeys,
  queue: string,
  envelope: Envelope,
): Promise<SignedEnvelope> {
  const content: Content = { queue, signedAt: Date.now(), envelope };
  const text = JSON.stringify(content);
  const signature = await signed(text, privateKey);
  return { text, keyId, signature: signature.toString('base64url') };
}

/**
 * Verifies the sender of a job and that it was sent to this queue. `data` is untrusted before that.
 */
export async function openEnvelope(
  { publicKeys }: ProcessKeys,
  queue: QueueName,
  data: unknown,
): Promise<OpenedEnvelope> {
  const { text, keyId, signature } = Object(data) as Partial<Record<keyof SignedEnvelope, unknown>>;
  if (typeof text !== 'string' || typeof keyId !== 'string' || typeof signature !== 'string') {
    return { refusal: 'it is not signed' };
  }
  const producer = publicKeys.get(keyId);
  if (producer === undefined) return { refusal: 'it is signed with an unknown key' };
  if (!(await isSigned(text, producer.key, Buffer.from(signature, 'base64url')))) {
    return { refusal: 'its signature is not valid' };
  }
  const content = JSON.parse(text) as Content;
  if (content.queue !== queue) return { refusal: 'it was signed for another queue' };
  if (content.signedAt < Date.now() - SIGNATURE_LIFE_MS)
    return { refusal: 'its signature is too old' };
  return { envelope: content.envelope, producer: producer.process };
}

/** With a callback, Node signs and checks in a thread, and not on the event loop. */
function signed(text: string, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    sign(null, bytesOf(text), key, (error, signature) =>
      error === null ? resolve(signature) : reject(error),
    ),
  );
}

function isSigned(text: string, key: KeyObject, signature: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) =>
    verify(null, bytesOf(text), key, signature, (error, valid) =>
      error === null ? resolve(valid) : reject(error),
    ),
  );
}

function bytesOf(text: string): Buffer {
  return Buffer.from(SIGNED_FOR + text);
}
