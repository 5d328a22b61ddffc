import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import type { Logger } from '@fiado/chassis/logger';
import { AppError } from '@fiado/contracts/errors';
import type { CleanAnswer, CleanImage, ImageMessage } from './clean-images';
import { FairTurns, type Refusal } from './fair-turns';

/**
 * Images of one wholesaler that wait for their turn. Images are decoded one at a time, because the
 * largest take 230 MB and a core for three seconds.
 */
const MAX_WAITING_OF_WHOLESALER = 4;

/** Images that wait in all: each holds its 5 MB and the body that it came in. */
const MAX_WAITING = 10;

/** Retry-After of a refusal: time for the largest image. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Cleans images of unknown origin: decodes and encodes them again, which removes metadata (place,
 * phone model) and anything hidden in the file.
 * @returns undefined for an image that does not decode
 */
export type CleanImages = (bytes: Buffer, wholesalerId: string) => Promise<CleanImage | undefined>;

/**
 * A cleaner that works on one image at a time and takes turns between wholesalers. It throws
 * RATE_LIMIT_EXCEEDED when too many of the wholesaler wait, SERVICE_UNAVAILABLE when too many do.
 */
export function createImageCleaner(process: ImageProcess, log: Logger): CleanImages {
  const turns = new FairTurns({ perTenant: MAX_WAITING_OF_WHOLESALER, inAll: MAX_WAITING });

  return (bytes, wholesalerId) =>
    turns.run(
      wholesalerId,
      async () => {
        const answer = await process.clean(bytes);
        if ('image' in answer) return answer.image;
        log.info({ reason: answer.problem }, 'not an image');
        return undefined;
      },
      refusalError,
    );
}

function refusalError(refusal: Refusal): AppError {
  const code = refusal === 'all-is-full' ? 'SERVICE_UNAVAILABLE' : 'RATE_LIMIT_EXCEEDED';
  return new AppError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** The heap only holds the encoded input and output. Decoding uses memory outside the heap. */
const MAX_HEAP_MB = 64;

/** A start takes 0.3 s. The gateway waits 20 s for the whole upload. */
const START_DEADLINE_MS = 8_000;

/** The process stops working on an image after 10 s; this deadline ends a process that hangs. */
const WORK_DEADLINE_MS = 12_000;

/** Idle time before the process ends. An idle process uses 60 MB. */
const END_WHEN_IDLE_MS = 30_000;

/**
 * A process that decodes images. An image that uses all memory or exploits a decoder then neither
 * ends the service nor reads its secrets. The process starts with the first image.
 */
export class ImageProcess {
  private child: Promise<ChildProcess> | undefined;
  private idle: NodeJS.Timeout | undefined;

  /**
   * Cleans an image; one at a time. If the process ends during the work, the image is refused.
   * @throws AppError SERVICE_UNAVAILABLE when the process does not start
   */
  async clean(bytes: Buffer): Promise<CleanAnswer> {
    clearTimeout(this.idle);
    this.child ??= this.start();
    const child = await this.child;
    try {
      return await work(child, bytes);
    } finally {
      this.idle = setTimeout(() => void this.close(), END_WHEN_IDLE_MS).unref();
    }
  }

  /** Ends the process, if there is one. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const started = this.child;
    this.child = undefined;
    const child = await started?.catch(() => undefined);
    child?.kill('SIGKILL');
  }

  private start(): Promise<ChildProcess> {
    const child = fork(join(__dirname, `clean-images${extname(__filename)}`), [], {
      // Passes none of the service's secrets. Two malloc arenas limit memory that is freed but not
      // returned.
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: [...process.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
    });
    const started = whenReady(child);
    const forget = (): void => {
      if (this.child === started) this.child = undefined;
    };
    child.once('exit', forget).once('error', forget);
    return started;
  }
}

async function whenReady(child: ChildProcess): Promise<ChildProcess> {
  if ((await answerOf(child, START_DEADLINE_MS)) === 'ready') return child;
  throw new AppError('SERVICE_UNAVAILABLE');
}

async function work(child: ChildProcess, bytes: Buffer): Promise<CleanAnswer> {
  const answer = answerOf(child, WORK_DEADLINE_MS);
  // The exit event reports a process that is gone.
  child.send(bytes, () => {});
  return ((await answer) as CleanAnswer | undefined) ?? { problem: 'the process ended' };
}

/** @returns the next message; undefined when the process ends or is ended at the deadline */
function answerOf(child: ChildProcess, deadlineMs: number): Promise<ImageMessage | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const settle = (answer?: ImageMessage): void => {
      clearTimeout(timer);
      child.off('message', settle).off('exit', onEnd).off('error', onEnd);
      resolve(answer);
    };
    const onEnd = (): void => settle();
    child.once('message', settle).once('exit', onEnd).once('error', onEnd);
    if (child.exitCode !== null || child.signalCode !== null) onEnd();
  });
}
