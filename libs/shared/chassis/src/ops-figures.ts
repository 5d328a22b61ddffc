import type { Db } from './db/database';
import { queryOne } from './db/query';

/** Ops look at the figures of a day, and the statements read thousands of rows. */
const MAX_AGE_MS = 60_000;

interface Sample<Figures> {
  since: string;
  /** On the monotonic clock. */
  readAt: number;
  figures: Promise<Figures>;
}

/**
 * Lets all that ask within a minute share one sample of a day's figures, also while it is being read.
 * A failed read is not kept.
 * @param read the figures of the day that began at `since`
 */
export function sampledFigures<Context extends object, Figures>(
  read: (context: Context, since: Date) => Promise<Figures>,
): (context: Context, day: { since: string }) => Promise<Figures> {
  const samples = new WeakMap<Context, Sample<Figures>>();
  return (context, { since }) => {
    const kept = samples.get(context);
    const isFresh = kept?.since === since && performance.now() - kept.readAt < MAX_AGE_MS;
    if (isFresh) return kept.figures;
    const figures = read(context, new Date(since));
    samples.set(context, { since, readAt: performance.now(), figures });
    figures.catch(() => samples.delete(context));
    return figures;
  };
}

/** Jobs of this service that failed for good and wait for ops, and the time of the database. */
export function countDeadJobs(db: Db): Promise<{ count: number; asOf: Date }> {
  return queryOne(
    db,
    `SELECT count(*)::int AS count, now() AS "asOf" FROM outbox
      WHERE dead_at IS NOT NULL AND done_at IS NULL`,
  );
}
