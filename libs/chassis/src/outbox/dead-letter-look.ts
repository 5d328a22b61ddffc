import type { Database } from '../db/database';
import type { Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { guardRow } from '../guard-row';
import { Loop } from '../loop';
import { query } from '../db/query';
import { RELAY_AGAIN_DAYS, settleDeadLetter, type DeadRow } from './dead-letters';

const LOOP = 'outbox dead letters';
/**
 * How often dead letters are checked: well within the time for which a queue keeps a finished job.
 */
const LOOK_MS = 60_000;
/** How long a dead letter may still be retried. Its queue keeps it for 7 of these days. */
const LOOK_BACK_DAYS = 35;
/** Rows in one iteration; the next one continues after them. */
const BATCH_SIZE = 500;

type PagedRow = DeadRow & { deadAt: string };

/**
 * Checks the jobs that failed for good. If ops retried one, its row in the sender's outbox becomes
 * pending or done again. If its queue no longer has it (flushed, or after the week for which failed
 * jobs are kept), it is relayed again: the outbox is the record, and the cause may be fixed.
 */
export function createDeadLetterLook(db: Database, queues: Queues, log: Logger): Loop {
  let last: PagedRow | undefined;
  return new Loop(log, {
    name: LOOP,
    everyMs: LOOK_MS,
    round: async () => {
      const rows = await findDead(db, last);
      for (const row of rows) {
        const names = { jobId: row.id, queue: row.queue };
        await guardRow(LOOP, { log, ...names }, () => settleDeadLetter({ db, queues, log }, row));
      }
      const more = rows.length === BATCH_SIZE;
      last = more ? rows.at(-1) : undefined;
      return more;
    },
  });
}

function findDead(db: Database, after: PagedRow | undefined): Promise<PagedRow[]> {
  return query<PagedRow>(
    db,
    // As text, because a Date drops the microseconds, and pages would overlap.
    `SELECT id, queue, dead_at::text AS "deadAt",
            created_at > now() - make_interval(days => $5) AS "isRecent"
       FROM outbox
      WHERE dead_at > now() - make_interval(days => $1) AND done_at IS NULL
        AND ($2::timestamptz IS NULL OR (dead_at, id) > ($2, $3::uuid))
      ORDER BY dead_at, id LIMIT $4`,
    [LOOK_BACK_DAYS, after?.deadAt ?? null, after?.id ?? null, BATCH_SIZE, RELAY_AGAIN_DAYS],
  );
}
