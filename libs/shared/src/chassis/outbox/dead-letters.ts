import type { DataSource } from 'typeorm';
import type { Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { Loop } from '../loop';
import { query } from '../db/query';

/** How often dead letters are looked at: well within the time that a queue remembers a done job. */
const LOOK_MS = 60_000;
/** How long a dead letter may still come alive: as long as its queue remembers that it failed. */
const LOOK_BACK_DAYS = 7;
/** Rows asked for in one round; the next round goes on from there. */
const BATCH_SIZE = 500;

interface DeadRow {
  id: string;
  queue: string;
  deadAt: string;
}

/**
 * The look at jobs that failed for good: one that ops let run again is alive or done in its
 * sender's outbox too. One that its queue forgot stays dead; nobody asked for it again.
 */
export function createDeadLetterLook(db: DataSource, queues: Queues, log: Logger): Loop {
  let last: DeadRow | undefined;
  return new Loop({
    name: 'outbox dead letters',
    everyMs: LOOK_MS,
    log,
    round: async () => {
      const rows = await findDead(db, last);
      for (const row of rows) await settle(db, queues, row, log);
      const more = rows.length === BATCH_SIZE;
      last = more ? rows.at(-1) : undefined;
      return more;
    },
  });
}

function findDead(db: DataSource, after: DeadRow | undefined): Promise<DeadRow[]> {
  return query<DeadRow & Record<string, unknown>>(
    db,
    // As text: a Date would cut the microseconds off, and the page would begin before its end.
    `SELECT id, queue, dead_at::text AS "deadAt" FROM outbox
      WHERE dead_at > now() - make_interval(days => $1) AND done_at IS NULL
        AND ($2::timestamptz IS NULL OR (dead_at, id) > ($2, $3::uuid))
      ORDER BY dead_at, id LIMIT $4`,
    [LOOK_BACK_DAYS, after?.deadAt ?? null, after?.id ?? null, BATCH_SIZE],
  );
}

async function settle(db: DataSource, queues: Queues, row: DeadRow, log: Logger): Promise<void> {
  const { state } = await queues.outcomeOf(row.queue, row.id);
  if (state === 'completed') {
    await query(db, 'UPDATE outbox SET done_at = now(), data = NULL WHERE id = $1', [row.id]);
  } else if (state === 'pending') {
    // From here on it is a job like any other: the sweeper asks what became of it.
    await query(
      db,
      'UPDATE outbox SET dead_at = NULL, dead_reason = NULL, enqueued_at = now() WHERE id = $1',
      [row.id],
    );
  } else {
    return;
  }
  log.info({ jobId: row.id, queue: row.queue, state }, 'a dead letter came alive');
}
