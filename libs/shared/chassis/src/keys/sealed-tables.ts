import type { Db } from '../db/database';
import { queryOne, queryRow, query } from '../db/query';

/** A table with sealed values. Names are SQL of ours, and never a caller's. */
export interface SealedTable {
  table: string;
  /** Its primary key, a uuid. */
  id: string;
  columns: SealedColumn[];
  /** Keys of sealed files instead of columns with values: see Reseal.sealFile. */
  hasFiles?: true;
}

export interface SealedColumn {
  column: string;
  purpose: string;
  /** SQL of the id that its values are bound to; the primary key without it. */
  boundTo?: string;
}

/**
 * How long after a service began to seal with a key its rows are read, in minutes. Until then a
 * process may still seal with the key before (KEYS_VALID_MS), and a request or a job may hold such a
 * value without having stored it: it ends within 30 s.
 */
const SETTLE_MINUTES = 5;
/** How long a page may take before another process reads it too. */
const LEASE_SECONDS = 60;
/** How soon a table with rows that failed is read again from its beginning. */
const FAILED_AGAIN_HOURS = 1;
/** Rows that are counted of a table, at most: a gauge must not read a whole table. */
const MAX_COUNTED = 100_000;

/** A page of a table that this process reads. */
export interface ClaimedPage {
  keyNumber: number;
  /** The last row of the page before. */
  after: string | null;
}

/** The number of the key whose rows may be read, or undefined while processes seal with another. */
export async function settledKey(db: Db): Promise<number | undefined> {
  const row = await queryRow<{ number: number; isSettled: boolean }>(
    db,
    `SELECT number, sealing_from < now() - make_interval(mins => $1) AS is_settled
       FROM data_keys WHERE kind = 'seal' AND sealing_from IS NOT NULL
      ORDER BY number DESC LIMIT 1`,
    [SETTLE_MINUTES],
  );
  return row?.isSettled === true ? row.number : undefined;
}

/**
 * Claims the next page of a table, unless another process reads it or all rows are sealed with the key.
 * A table with rows that failed begins again after an hour.
 */
export function claimPage(
  db: Db,
  table: string,
  keyNumber: number,
): Promise<ClaimedPage | undefined> {
  return queryRow<ClaimedPage>(
    db,
    `INSERT INTO sealed_tables AS own (name, key_number, leased_until)
     VALUES ($1, $2, now() + make_interval(secs => $3))
     ON CONFLICT (name) DO UPDATE
       SET key_number = $2, leased_until = excluded.leased_until, finished_at = NULL,
           after  = CASE WHEN own.key_number = $2 AND own.finished_at IS NULL THEN own.after END,
           failed = CASE WHEN own.key_number = $2 AND own.finished_at IS NULL THEN own.failed ELSE 0 END
     WHERE own.key_number < $2
        OR own.key_number = $2 AND CASE
             WHEN own.finished_at IS NULL THEN coalesce(own.leased_until < now(), true)
             ELSE own.failed > 0 AND own.finished_at < now() - make_interval(hours => $4) END
     RETURNING key_number, after`,
    [table, keyNumber, LEASE_SECONDS, FAILED_AGAIN_HOURS],
  );
}

/**
 * Ends a page. Nothing happens when another process has ended it, because this one was too slow.
 * @param page last: the last row that was read; failed: rows that could not be resealed
 */
export async function endPage(
  db: Db,
  table: string,
  { keyNumber, after }: ClaimedPage,
  page: { last: string | undefined; failed: number; isLast: boolean },
): Promise<void> {
  await query(
    db,
    `UPDATE sealed_tables
        SET after = coalesce($4, after), failed = failed + $5, leased_until = NULL,
            finished_at = CASE WHEN $6 THEN now() END
      WHERE name = $1 AND key_number = $2 AND after IS NOT DISTINCT FROM $3`,
    [table, keyNumber, after, page.last, page.failed, page.isLast],
  );
}

/**
 * Rows of a table that may hold values of an older key: those that were not read since the newest key
 * seals, and those that failed. Counted up to 100,000. No key is older than key 0.
 */
export async function countOldRows(db: Db, { table, id }: SealedTable): Promise<number> {
  const { number, failed, isFinished, after } = await queryOne<{
    number: number;
    failed: number;
    isFinished: boolean;
    after: string | null;
  }>(
    db,
    `SELECT newest.number, coalesce(own.failed, 0) AS failed,
            own.finished_at IS NOT NULL AS is_finished, own.after
       FROM (SELECT max(number) AS number FROM data_keys
              WHERE kind = 'seal' AND sealing_from IS NOT NULL) newest
       LEFT JOIN sealed_tables own ON own.name = $1 AND own.key_number = newest.number`,
    [table],
  );
  if (number === 0) return 0;
  if (isFinished) return failed;
  const { count } = await queryOne<{ count: number }>(
    db,
    `SELECT count(*)::integer AS count FROM
       (SELECT FROM ${table} WHERE $1::uuid IS NULL OR ${id} > $1 LIMIT $2) ahead`,
    [after, MAX_COUNTED],
  );
  return failed + count;
}
