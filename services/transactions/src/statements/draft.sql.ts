import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import type { LineSums } from './settlement.rules';

/** What no statement of a wholesaler has closed, and what its statements still have to pay. Cents. */
interface DraftSums extends LineSums {
  lines: number;
  periodFrom: Date;
  /** What the next statement opens with: zero or negative. */
  carriedCents: number;
  /** Due of the statements that are not paid. */
  unpaidCents: number;
  /** Of the newest statement; 0 before the first. A draft that loses lines to one has another number. */
  lastNumber: number;
}

/**
 * Sums in one statement: a closing at the same time moves lines from one sum to the other.
 * @param recorded which lines count; all of the draft without it
 */
export function sumDraft(
  db: Db,
  wholesalerId: string,
  { since, before }: { since?: Date; before?: Date } = {},
): Promise<DraftSums> {
  return queryOne<DraftSums>(
    db,
    `SELECT count(l.id)::int AS lines, coalesce(sum(l.gross_cents), 0)::bigint AS gross_cents,
            coalesce(sum(l.commission_cents), 0)::bigint AS commission_cents,
            coalesce((SELECT carried_cents FROM settlement_heads WHERE wholesaler_id = $1), 0)
              AS "carriedCents",
            (SELECT coalesce(sum(due_cents), 0)::bigint FROM statements
              WHERE wholesaler_id = $1 AND status = 'closed') AS "unpaidCents",
            coalesce((SELECT max(number) FROM statements WHERE wholesaler_id = $1), 0)
              AS "lastNumber",
            coalesce((SELECT max(period_to) FROM statements WHERE wholesaler_id = $1),
                     (SELECT at FROM settlement_start)) AS "periodFrom"
       FROM settlement_lines l
      WHERE l.wholesaler_id = $1 AND l.statement_id IS NULL
        AND l.recorded_at >= $2 AND l.recorded_at < $3`,
    [wholesalerId, since ?? '-infinity', before ?? 'infinity'],
  );
}
