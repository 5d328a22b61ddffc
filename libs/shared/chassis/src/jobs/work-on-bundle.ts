import { type Job, WaitingError } from 'bullmq';
import type { QueueName } from '@fiado/contracts/define';
import type { BundleResult } from './bundle';
import type { Queues } from './queues';
import type { SentJob, SignedBundle } from './signed-envelope';
import type { WorkerGate } from './worker-gate';

/** Limits how many pieces of work run at the same time; the others wait, first come, first served. */
export class Slots {
  private readonly waiting: Array<() => void> = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/**
 * Jobs of a bundle that have not begun after this time, in milliseconds, become jobs of their own:
 * a worker holds a bundle only for a short time.
 */
const BUNDLE_MS = 5_000;

interface BundleParts {
  queues: Queues;
  queue: QueueName;
  gate: WorkerGate;
  /** Slots for jobs that need a connection to the database. */
  slots: Slots;
  /** Whether a job shares a statement with others: such jobs of a bundle start at the same time. */
  sharesStatement: (sent: SentJob) => boolean;
  /** Whether its sender may send it: if not, it is refused when it is taken as a job of its own. */
  isAllowed: (sent: SentJob) => boolean;
  /** One attempt. @throws WaitingError when the database is unavailable */
  attempt: (job: Job<SignedBundle>, sent: SentJob) => Promise<void>;
}

/**
 * Runs the jobs of a bundle. A job that needs another attempt is added to the queue as a single job. A
 * bundle that is taken a second time, for example because its worker was killed, is not run: each of its
 * jobs becomes a single job, so that a job that kills its worker stops no other.
 * @returns put-back when the database is unavailable, and the bundle must return to its queue
 */
export async function workOnBundle(
  parts: BundleParts,
  job: Job<SignedBundle>,
  sent: SentJob[],
): Promise<BundleResult | 'put-back'> {
  const failed = job.attemptsStarted > 1 ? sent : await attemptAll(parts, job, sent);
  if (failed === 'put-back') return failed;
  await parts.queues.addApart(parts.queue, job, failed);
  return { apart: failed.map(({ envelope }) => envelope.id) };
}

/** @returns the jobs that need another attempt */
async function attemptAll(
  { gate, slots, sharesStatement, isAllowed, attempt }: BundleParts,
  job: Job<SignedBundle>,
  sent: SentJob[],
): Promise<SentJob[] | 'put-back'> {
  const endsAtMs = performance.now() + BUNDLE_MS;
  const failed: SentJob[] = [];
  let isPutBack = false;
  const attemptOne = async (one: SentJob): Promise<void> => {
    isPutBack ||= gate.isShut;
    if (isPutBack) return;
    if (performance.now() > endsAtMs || !isAllowed(one)) {
      failed.push(one);
      return;
    }
    try {
      await attempt(job, one);
    } catch (error) {
      if (error instanceof WaitingError) isPutBack = true;
      else failed.push(one);
    }
  };
  await Promise.all(
    sent.map((one) => (sharesStatement(one) ? attemptOne(one) : slots.run(() => attemptOne(one)))),
  );
  return isPutBack ? 'put-back' : failed;
}
