import { createLiveGauge } from './metrics';

/** A kind of work. Each piece has a name that is unique among its kind. */
export type WorkKind = 'lane' | 'loop' | 'pool' | 'worker';

/** How long work may be there without any of it ending, in milliseconds, before `stuckWork` names it. */
export const STUCK_MS = 15_000;

const all = new Set<Progress>();

/**
 * Whether work is getting done: how long work has been there without any of it ending. Work that fails
 * has ended. A lost statement, a promise that nobody settles or a lock that is never released shows here,
 * whatever caused it; a check of a connection beside the work would not see it.
 */
export class Progress {
  private open = 0;
  private movedAtMs = 0;
  private endedAtMs: number | undefined;

  /**
   * @param limitMs how long its slowest piece of work may take, in milliseconds
   * @param isWanted whether more work waits; without any, a single slow piece of work holds up nothing
   */
  constructor(
    readonly kind: WorkKind,
    readonly name: string,
    readonly limitMs: number,
    private readonly isWanted = (): boolean => true,
  ) {
    all.add(this);
  }

  /** Call it when a piece of work begins. */
  began(): void {
    if (this.open === 0) this.movedAtMs = performance.now();
    this.open += 1;
  }

  /** A piece of work has ended, successfully or not. */
  ended(): void {
    this.open -= 1;
    this.endedAtMs = this.movedAtMs = performance.now();
  }

  /** Does a piece of work, which ends however it ends. */
  async around<Result>(work: () => Promise<Result>): Promise<Result> {
    this.began();
    try {
      return await work();
    } finally {
      this.ended();
    }
  }

  /** The age of the oldest work since anything last ended, in milliseconds; 0 if there is none. */
  get stalledMs(): number {
    return this.open === 0 || !this.isWanted() ? 0 : performance.now() - this.movedAtMs;
  }

  /** When work last began where there was none, or ended, by the monotonic clock. */
  get movedMs(): number {
    return this.movedAtMs;
  }

  /** Milliseconds since a piece of work last ended; undefined before the first. */
  get sinceEndedMs(): number | undefined {
    return this.endedAtMs === undefined ? undefined : performance.now() - this.endedAtMs;
  }

  /** Its owner has stopped. */
  close(): void {
    all.delete(this);
  }
}

/**
 * The lanes and pools that have ended nothing for 15 s although work is there.
 * @param sinceMs monotonic time; work that has not moved since then is ignored
 */
export function stuckWork(sinceMs: number): string[] {
  return [...all]
    .filter(({ kind }) => kind === 'lane' || kind === 'pool')
    .filter(({ stalledMs, movedMs }) => stalledMs > STUCK_MS && movedMs >= sinceMs)
    .map(({ kind, name }) => `${kind} ${name}`);
}

/** Exports a value of each kind and name; of several instances in one process, that of the one that waits longest. */
function exportEach(
  name: `fiado_${string}`,
  help: string,
  valueMs: (progress: Progress) => number | undefined,
): void {
  createLiveGauge(name, help, ['kind', 'name'], (set) => {
    for (const progress of [...all].toSorted((a, b) => a.stalledMs - b.stalledMs)) {
      const ms = valueMs(progress);
      if (ms !== undefined) set({ kind: progress.kind, name: progress.name }, ms / 1_000);
    }
  });
}

exportEach(
  'fiado_stalled_seconds',
  'How long work has been there without any of it ending; 0 without work',
  ({ stalledMs }) => stalledMs,
);
exportEach(
  'fiado_stalled_limit_seconds',
  'How long work may be there without any of it ending',
  ({ limitMs }) => limitMs,
);
exportEach(
  'fiado_last_ended_age_seconds',
  'Time since a piece of work last ended, successfully or not; none before the first',
  ({ sinceEndedMs }) => sinceEndedMs,
);
