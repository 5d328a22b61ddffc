import type { Db } from '../db/database';
import { distinctValues } from '../db/distinct-values.sql';
import { oneByOne, query, queryNamed } from '../db/query';
import { isWaiting, type RowJob } from './row-job';

/** Attempts until a row is a dead letter, as many as a job of a queue has. */
export const MAX_ATTEMPTS = 8;

/** Pause after the first failed attempt. It doubles: a minute in all, as in the queues. */
const FIRST_PAUSE_SECONDS = 0.5;

/** Longer than any work on a row takes. After it the process counts as killed, and another one tries. */
const CLAIM_SECONDS = 30;

/** Characters of an error that are stored. */
const MAX_ERROR_LENGTH = 500;

/** A row that this process alone works on. */
export interface ClaimedRow {
  id: string;
  tenant: string;
  /** With this one. */
  attempts: number;
  /** Whether it has no attempt left, because each of them ended with its process. */
  isDead: boolean;
  requestId: string | null;
  traceparent: string | null;
}

/** The free places of a process. */
export interface Room {
  /** Rows that it may claim. */
  free: number;
  /** Most rows of one tenant that it works on. */
  perTenant: number;
  /** Rows that it works on now, by their tenant. */
  busy: ReadonlyMap<string, number>;
}

interface Claim {
  table: string;
  /** Column with the id of the tenant: tenants take turns. An index has it, next_attempt_at and id. */
  tenant: string;
  /** SQL: whether a row waits, as in that index. */
  waiting: string;
  /** Assignments that claim a row: an attempt counts before it is made. */
  set: string;
  returning: string;
}

/**
 * The statement that claims due rows. Rows of tenants with few rows in progress come first; rows that another process
 * has locked are skipped. `room` gives its first four parameters.
 */
export function claimInTurns({ table, tenant, waiting, set, returning }: Claim): string {
  return `
  WITH RECURSIVE ${distinctValues({ name: 'tenants', table, column: tenant, as: 'tenant', where: waiting })},
  due AS (
    SELECT due.id, due.next_attempt_at,
           coalesce(busy.count, 0)
             + row_number() OVER (PARTITION BY tenants.tenant ORDER BY due.next_attempt_at, due.id)
             AS turn
      FROM tenants
      LEFT JOIN unnest($1::uuid[], $2::integer[]) AS busy (tenant, count)
        ON busy.tenant = tenants.tenant
     CROSS JOIN LATERAL (
       SELECT id, next_attempt_at FROM ${table}
        WHERE ${tenant} = tenants.tenant AND ${waiting} AND next_attempt_at <= now()
        ORDER BY next_attempt_at, id
        LIMIT least(greatest($3::integer - coalesce(busy.count, 0), 0), $4::integer)
          FOR NO KEY UPDATE SKIP LOCKED) due
  )
  UPDATE ${table} SET ${set}
    FROM (SELECT id FROM due WHERE ${oneByOne('id')} ORDER BY turn, next_attempt_at, id LIMIT $4) due
   WHERE ${table}.id = due.id
  RETURNING ${returning}`;
}

/** The first parameters of claimInTurns. */
export function room({ free, perTenant, busy }: Room): unknown[] {
  return [[...busy.keys()], [...busy.values()], perTenant, free];
}

/** Claims due rows. A row that kills its process is a dead letter in the end. */
export function claimRows(db: Db, job: RowJob, of: Room): Promise<ClaimedRow[]> {
  const { table, tenant, type } = job;
  const statement = claimInTurns({
    table,
    tenant,
    waiting: isWaiting(job),
    set: `attempts = least(attempts + 1, $5), next_attempt_at = now() + make_interval(secs => $6),
         dead_at = CASE WHEN attempts >= $5 THEN now() END,
         last_error = CASE WHEN attempts >= $5
                           THEN coalesce(last_error, 'Its process ended during each attempt')
                           ELSE last_error END`,
    returning: `${table}.id, ${table}.${tenant} AS tenant, attempts, dead_at IS NOT NULL AS "isDead",
            request_id, traceparent`,
  });
  const values = [...room(of), MAX_ATTEMPTS, CLAIM_SECONDS];
  return queryNamed<ClaimedRow>(db, `claim ${type}`, statement, values);
}

/**
 * Stores why an attempt failed. Does nothing when the work is done or the claim has lapsed.
 * @returns whether the row is a dead letter now
 */
export async function recordFailure(
  db: Db,
  { table, isOpen }: RowJob,
  { id, attempts }: ClaimedRow,
  error: unknown,
): Promise<boolean> {
  const reason = error instanceof Error ? error.message : 'unknown';
  const rows = await query<{ isDead: boolean }>(
    db,
    `UPDATE ${table}
        SET last_error = $3, dead_at = CASE WHEN attempts >= $4 THEN now() END,
            next_attempt_at = now() + make_interval(secs => $5)
      WHERE id = $1 AND attempts = $2 AND ${isOpen}
      RETURNING dead_at IS NOT NULL AS "isDead"`,
    [
      id,
      attempts,
      reason.slice(0, MAX_ERROR_LENGTH),
      MAX_ATTEMPTS,
      FIRST_PAUSE_SECONDS * 2 ** (attempts - 1),
    ],
  );
  return rows[0]?.isDead === true;
}

/** Gives rows back whose attempt ended because the database was unavailable: it does not count. */
export async function giveBack(db: Db, job: RowJob, rows: ClaimedRow[]): Promise<void> {
  await query(
    db,
    `UPDATE ${job.table} SET attempts = ${job.table}.attempts - 1, next_attempt_at = now()
       FROM unnest($1::uuid[], $2::integer[]) AS given (id, attempts)
      WHERE ${job.table}.id = given.id AND ${job.table}.attempts = given.attempts
        AND ${isWaiting(job)}`,
    [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts)],
  );
}
