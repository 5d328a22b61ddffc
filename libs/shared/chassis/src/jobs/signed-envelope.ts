import { hash, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
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

/** With a callback, Node signs and checks in a thread, and not on the event loop. */
const signInThread = promisify(sign);
const verifyInThread = promisify(verify);

/**
 * A job's envelope as stored in a queue. It is a text, because the signature covers its bytes and a queue
 * in Postgres reorders the fields of an object.
 */
export interface SignedEnvelope {
  text: string;
  keyId: string;
  /** Ed25519, in base64url. */
  signature: string;
}

/** One job of a bundle. */
export interface BundledRow {
  /** Its envelope. The signed text has its hash. */
  text: string;
  /** Not signed: it decides nothing but the trace. */
  traceparent: string | null;
}

/**
 * Jobs with one signature. It covers the hash of each job, so that one job can be added again as a single
 * job without a new signature, which only its producer could make.
 */
export interface SignedBundle extends SignedEnvelope {
  rows: BundledRow[];
}

/** The content of the text of a signed envelope. */
interface Content {
  /** The only queue that the jobs are for. */
  queue: string;
  signedAt: number;
  /** The envelope of a single job. */
  envelope?: Envelope;
  /** The hashes of the rows of a bundle. */
  rows?: string[];
}

/** A job and who sent it. */
export interface SentJob {
  envelope: Envelope;
  producer: ProcessName;
  /** The row of a job in a bundle. */
  row?: BundledRow;
}

/** The verified jobs of an envelope with their sender, or the reason to refuse them all. */
export type OpenedEnvelope = { sent: SentJob[]; refusal?: undefined } | { refusal: string };

/** Signs a job with the keys of its process. */
export function signEnvelope(
  keys: ProcessKeys,
  queue: string,
  envelope: Envelope,
): Promise<SignedEnvelope> {
  return signContent(keys, { queue, signedAt: Date.now(), envelope });
}

/** Signs jobs together. @param traceparents of the spans that send them, in the order of the jobs */
export async function signBundle(
  keys: ProcessKeys,
  queue: string,
  envelopes: Envelope[],
  traceparents: (string | null)[],
): Promise<SignedBundle> {
  const rows = envelopes.map((envelope, at) => ({
    text: JSON.stringify(envelope),
    traceparent: traceparents[at] ?? null,
  }));
  const hashes = rows.map(({ text }) => hashOf(text));
  return { ...(await signContent(keys, { queue, signedAt: Date.now(), rows: hashes })), rows };
}

async function signContent(
  { privateKey, keyId }: ProcessKeys,
  content: Content,
): Promise<SignedEnvelope> {
  const text = JSON.stringify(content);
  const signature = await signInThread(null, bytesOf(text), privateKey);
  return { text, keyId, signature: signature.toString('base64url') };
}

/**
 * Verifies the sender of a job or of a bundle, and that it was sent to this queue. `data` is untrusted
 * before that.
 */
export async function openEnvelope(
  { publicKeys }: ProcessKeys,
  queue: QueueName,
  data: unknown,
): Promise<OpenedEnvelope> {
  const { text, keyId, signature, rows } = Object(data) as Partial<
    Record<keyof SignedBundle, unknown>
  >;
  if (typeof text !== 'string' || typeof keyId !== 'string' || typeof signature !== 'string') {
    return { refusal: 'it is not signed' };
  }
  const producer = publicKeys.get(keyId);
  if (producer === undefined) return { refusal: 'it is signed with an unknown key' };
  const signatureBytes = Buffer.from(signature, 'base64url');
  if (!(await verifyInThread(null, bytesOf(text), producer.key, signatureBytes))) {
    return { refusal: 'its signature is not valid' };
  }
  const content = JSON.parse(text) as Content;
  if (content.queue !== queue) return { refusal: 'it was signed for another queue' };
  if (content.signedAt < Date.now() - SIGNATURE_LIFE_MS)
    return { refusal: 'its signature is too old' };
  const sender = producer.process;
  if (content.envelope !== undefined) {
    return { sent: [{ envelope: content.envelope, producer: sender }] };
  }
  const signedRows = rowsOf(rows, new Set(content.rows));
  if (signedRows === undefined) return { refusal: 'its jobs are not those that were signed' };
  return {
    sent: signedRows.map((row) => ({
      envelope: JSON.parse(row.text) as Envelope,
      producer: sender,
      row,
    })),
  };
}

/** The rows of a bundle, or some of them; undefined if one of them was not signed. */
function rowsOf(rows: unknown, signed: Set<string>): BundledRow[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const found = rows.map((row): BundledRow | undefined => {
    const { text, traceparent } = Object(row) as Partial<Record<keyof BundledRow, unknown>>;
    if (typeof text !== 'string' || !signed.has(hashOf(text))) return undefined;
    return { text, traceparent: typeof traceparent === 'string' ? traceparent : null };
  });
  return found.every((row) => row !== undefined) && found.length > 0 ? found : undefined;
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

function bytesOf(text: string): Buffer {
  return Buffer.from(SIGNED_FOR + text);
}
