import type { DataSource } from 'typeorm';
import type { Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { guardRow } from '../guard-row';
import { Loop } from '../loop';
import { query } from '../db/query';
import { RELAY_AGAIN_DAYS, settleDeadLetter, type DeadRow } from './dead-letters';

const LOOP = 'outbox dead letters';
/** How often dead letters are looked at: well within the time that a queue remembers a done job. */
const LOOK_MS = 60_000;
/** How long a dead letter may still come alive: its queue remembers it for 7 of these days. */
const LOOK_BACK_DAYS = 35;
/** Rows in one iteration; the next one continues after them. */
const BATCH_SIZE = 500;

type PagedRow = DeadRow & { deadAt: string };

/**
 * The look at jobs that failed for good. One that ops let run again is alive or done in its sender's
 * outbox too. One that its queue forgot (flushed, or past the week that it keeps failed jobs) is
 * relayed again: the outbox is the record, and its failure may have been mended.
 */
export function createDeadLetterLook(db: DataSource, queues: Queues, log: Logger): Loop {
  let last: PagedRow | undefined;
  return new Loop({
    name: LOOP,
    everyMs: LOOK_MS,
    log,
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

function findDead(db: DataSource, after: PagedRow | undefined): Promise<PagedRow[]> {
  return query<PagedRow & Record<string, unknown>>(
    db,
    // As text: a Date would cut the microseconds off, and the page would begin before its end.
    `SELECT id, queue, dead_at::text AS "deadAt",
            created_at > now() - make_interval(days => $5) AS "isRecent"
       FROM outbox
      WHERE dead_at > now() - make_interval(days => $1) AND done_at IS NULL
        AND ($2::timestamptz IS NULL OR (dead_at, id) > ($2, $3::uuid))
      ORDER BY dead_at, id LIMIT $4`,
    [LOOK_BACK_DAYS, after?.deadAt ?? null, after?.id ?? null, BATCH_SIZE, RELAY_AGAIN_DAYS],
  );
}
