import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from './db/errors';
import type { Logger } from './logger';
import { announceLoop, countFailedRow, countRound, forgetLoop } from './metrics';
import { Progress } from './progress';
import { SeldomLines } from './seldom-lines';

/** A failed iteration is retried after this, however long the loop's own interval is. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** How long a round may take, in milliseconds: longer than any statement of a service and some retries. */
const LONGEST_ROUND_MS = 120_000;

interface LoopOptions {
  name: string;
  /** Longest pause between two rounds, in milliseconds. */
  everyMs: number;
  /** How long a round may take, in milliseconds, before FiadoNoProgress fires. Default: two minutes. */
  longestRoundMs?: number;
  /**
   * One round. Returning true means that there is more to do: the next round follows at once.
   * @param stopping aborted when the loop is to stop, for a round that may take longer than a stop
   */
  round: (stopping: AbortSignal) => Promise<boolean | void>;
}

/** A loop whose rounds get a context. */
export function loopOf<Context extends { log: Logger }>(
  context: Context,
  {
    round,
    ...options
  }: Omit<LoopOptions, 'round'> & {
    round: (context: Context, stopping: AbortSignal) => Promise<boolean | void>;
  },
): Loop {
  return new Loop(context.log, { ...options, round: (stopping) => round(context, stopping) });
}

/** How long the first round of a loop holds up that of the next loop, at most, in milliseconds. */
const HOLDS_UP_MS = 20;

/**
 * Starts loops, whose first rounds follow one another. All at once they would open as many connections as a pool has,
 * each of which costs Postgres a process.
 */
export function startInTurn(loops: Loop[]): void {
  let turn: Promise<void> | undefined;
  for (const loop of loops) {
    loop.start(turn);
    const limit = () => sleep(HOLDS_UP_MS, undefined, { ref: false });
    turn = Promise.resolve(turn).then(() => Promise.race([loop.firstRound, limit()]));
  }
}

/** Runs a round again and again, earlier when woken; a failed round is logged, once a minute, and tried again. */
export class Loop {
  private readonly stopping = new AbortController();
  private woken = false;
  private endPause: () => void = () => {};
  private endFirstRound: () => void = () => {};
  private running: Promise<void> | undefined;
  /** Resolves after the first round, whatever became of it. */
  readonly firstRound = new Promise<void>((end) => (this.endFirstRound = end));
  private readonly failures = new SeldomLines();

  constructor(
    private readonly log: Logger,
    private readonly options: LoopOptions,
  ) {}

  /** @param turn what the first round waits for, unless the loop is woken before */
  start(turn?: Promise<void>): void {
    announceLoop(this.options.name, this.options.everyMs);
    this.running ??= this.run(turn);
  }

  /** Whether it was started and not stopped. */
  get isRunning(): boolean {
    return this.running !== undefined && !this.stopping.signal.aborted;
  }

  /** Starts the next round now, or right after the one that is running. */
  wake(): void {
    this.woken = true;
    this.endPause();
  }

  /** Lets the running round finish, then ends. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(turn: Promise<void> | undefined): Promise<void> {
    const { name, longestRoundMs = LONGEST_ROUND_MS } = this.options;
    const progress = new Progress('loop', name, longestRoundMs);
    if (turn !== undefined) {
      await Promise.race([turn, new Promise<void>((woken) => (this.endPause = woken))]);
    }
    while (!this.stopping.signal.aborted) {
      this.woken = false;
      const { more, pauseMs } = await progress.around(() => this.round());
      this.endFirstRound();
      if (!more && !this.woken) await this.rest(pauseMs);
    }
    progress.close();
    forgetLoop(name);
  }

  private async round(): Promise<{ more: boolean; pauseMs: number }> {
    const { name, everyMs, round } = this.options;
    try {
      const more = (await round(this.stopping.signal)) === true;
      countRound(name, 'done');
      return { more, pauseMs: everyMs };
    } catch (error) {
      countRound(name, 'failed');
      this.failures.note(String(error), (times) =>
        this.log.warn({ err: error, loop: name, times }, 'loop iteration failed'),
      );
      return { more: false, pauseMs: Math.min(everyMs, PAUSE_AFTER_FAILURE_MS) };
    }
  }

  private rest(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The log line of a row that fails in a loop; the runbook searches for it. */
export const ROW_FAILED = 'row failed; the loop continues without it';

/**
 * Processes one row of a loop. A row that fails is counted and logged, and the loop continues: one
 * bad row must not stop the others.
 * @param row what identifies it in the log
 * @returns whether it succeeded
 * @throws when the database is unavailable: no other row would fare better
 */
export async function guardRow(
  loop: string,
  { log, ...row }: { log: Logger } & Record<string, unknown>,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    countFailedRow(loop);
    log.error({ err: error, loop, ...row }, ROW_FAILED);
    return false;
  }
}
