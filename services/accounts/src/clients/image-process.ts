import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import { AppError } from '@fiado/shared/contracts/errors';
import { READY, type CleanAnswer } from './image-process-messages';

/** Its heap only holds one image as it came and one as it goes; what decodes is outside the heap. */
const MAX_HEAP_MB = 64;
/** A start takes 0.3 s. The gateway waits 20 s for the whole upload. */
const START_DEADLINE_MS = 8_000;
/** The process gives up an image after 10 s; this ends one that hangs. */
const WORK_DEADLINE_MS = 12_000;
/** The process takes 60 MB while it rests. */
const END_WHEN_IDLE_MS = 30_000;

/**
 * A process that decodes images, so that an image that takes all memory, or finds a hole in a
 * decoder, does not end the service or see its secrets. It is started when an image comes.
 */
export class ImageProcess {
  private child: Promise<ChildProcess> | undefined;
  private idle: NodeJS.Timeout | undefined;

  /**
   * Cleans an image; one at a time. A process that ends while it works is a problem of the image.
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
      // None of the service's secrets. Two arenas keep the memory small that is freed and not returned.
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
  if ((await answerOf(child, START_DEADLINE_MS)) === READY) return child;
  throw new AppError('SERVICE_UNAVAILABLE');
}

async function work(child: ChildProcess, bytes: Buffer): Promise<CleanAnswer> {
  const answer = answerOf(child, WORK_DEADLINE_MS);
  // A process that is gone is seen by its exit.
  child.send(bytes, () => {});
  return ((await answer) as CleanAnswer | undefined) ?? { problem: 'the process ended' };
}

/** @returns the next message; undefined when the process ends or is ended at the deadline */
function answerOf(child: ChildProcess, deadlineMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const settle = (answer?: unknown): void => {
      clearTimeout(timer);
      child.off('message', settle).off('exit', onEnd).off('error', onEnd);
      resolve(answer);
    };
    const onEnd = (): void => settle();
    child.once('message', settle).once('exit', onEnd).once('error', onEnd);
    if (child.exitCode !== null || child.signalCode !== null) onEnd();
  });
}
