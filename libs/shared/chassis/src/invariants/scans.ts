import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/contracts/invariants';
import { ValidationError } from '@fiado/contracts/errors';
import type { Db } from '../db/database';
import { query, queryRow } from '../db/query';

/** Which rows are checked. */
export interface CheckedPeriod {
  /** Rows that were made since then, and all that are open; undefined: all rows. */
  since: Date | undefined;
}

/** An invariant of a service's schema, and how to find the rows that violate it. */
export interface Invariant {
  /** As a fact: 'credit_entries sum up to used_cents'. */
  name: string;
  /**
   * A statement that selects the rows at fault: ids, states and sums, never personal data. It reads
   * only the rows of the range, whose ids are $1 (uuid[]), and the rows that belong to them.
   * A function where SQL is not enough.
   */
  violations: string | ((db: Db, ids: string[]) => Promise<object[]>);
}

/** A pass over a table, in ranges, so that no statement grows with the table. */
export interface Scan {
  /** Lower case and hyphens: a place names it. */
  name: string;
  /** Undefined: there is one range, of rows that an index finds wherever they are. */
  rows?: ScannedRows;
  /** Undefined: always; or only while the period is limited. */
  only?: 'recent';
  checks: Invariant[];
}

interface ScannedRows {
  /**
   * Selects the ids of the next rows: after the id $1 (null at the beginning), at most $2.
   * @param first the lowest id that belongs to the period; null: all do
   */
  select: (first: string | null) => string;
  /** Selects `first` and `last` of the ids, for the progress; undefined: not in the order of ids. */
  span?: (first: string | null) => string;
  /** Selects the ids `id` that the checks get, of rows that belong to the rows with the ids $1. */
  expand?: (first: string | null) => string;
  /** How many ordinary rows one of these counts for. */
  weight?: number;
}

/** All rows of a table, by its key. */
export function everyRow(table: string, key = 'id'): ScannedRows {
  return {
    select: () => `
      SELECT ${key} AS id FROM ${table} WHERE $1::uuid IS NULL OR ${key} > $1
       ORDER BY ${key} LIMIT $2`,
    span: () => `
      SELECT (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1) AS first,
             (SELECT ${key} FROM ${table} ORDER BY ${key} DESC LIMIT 1) AS last`,
  };
}

/** The rows of a table that were made in the period. Its ids are of version 7 (ADR 42). */
export function recentRows(table: string): ScannedRows {
  const from = (first: string | null): string => (first === null ? 'true' : `id >= '${first}'`);
  return {
    select: (first) => `
      SELECT id FROM ${table} WHERE ${from(first)} AND ($1::uuid IS NULL OR id > $1)
       ORDER BY id LIMIT $2`,
    span: (first) => `
      SELECT (SELECT id FROM ${table} WHERE ${from(first)} ORDER BY id LIMIT 1) AS first,
             (SELECT id FROM ${table} WHERE ${from(first)} ORDER BY id DESC LIMIT 1) AS last`,
  };
}

/** Rows of a table that wait, in the order of an index: by a moment that does not change. */
export function waitingRows(table: string, condition: string, moment: string): ScannedRows {
  return {
    select: (first) => `
      SELECT id FROM ${table}
       WHERE ${condition} AND ${first === null ? 'false' : `id < '${first}'`}
         AND ($1::uuid IS NULL
              OR (${moment}, id) > (SELECT ${moment}, id FROM ${table} WHERE id = $1))
       ORDER BY ${moment}, id LIMIT $2`,
  };
}

/** Seconds after which a job that is not done counts as a fault: retries last some minutes. */
const UNDONE_AFTER = '1 hour';

/** The outbox of every schema, by its indexes of what is not done. */
export const OUTBOX_SCAN: Scan = {
  name: 'outbox',
  checks: [
    {
      name: `no outbox row is older than ${UNDONE_AFTER}`,
      violations: `
        SELECT id AS "jobId", queue, type, created_at, enqueued_at FROM outbox
         WHERE enqueued_at IS NULL AND created_at < now() - interval '${UNDONE_AFTER}'
        UNION ALL
        SELECT id, queue, type, created_at, enqueued_at FROM outbox
         WHERE enqueued_at IS NOT NULL AND done_at IS NULL AND dead_at IS NULL
           AND enqueued_at < now() - interval '${UNDONE_AFTER}'`,
    },
    {
      name: 'no job is a dead letter',
      violations: `SELECT id AS "jobId", queue, type, dead_at, dead_reason FROM outbox
                    WHERE dead_at IS NOT NULL AND done_at IS NULL`,
    },
  ],
};

export interface CheckedRange {
  checks: InvariantCheck[];
  rows: number;
  done: number;
  next: string | null;
}

/**
 * Checks the next range of rows: what remains of a scan, and scans after it, up to the limit.
 * @param db one snapshot: concurrent changes would break the sums
 * @throws ValidationError for a place that names no scan
 */
export async function checkNextRange(
  db: Db,
  allScans: Scan[],
  { from, since, limit }: CheckedPeriod & { from: string | undefined; limit: number },
): Promise<CheckedRange> {
  const scans = allScans.filter(({ only }) => only === undefined || since !== undefined);
  const [name = '', after = null] = from?.split(':') ?? [scans[0]?.name];
  let at = scans.findIndex((scan) => scan.name === name);
  if (at === -1) throw new ValidationError(['from must be the next of a range']);

  const first = since === undefined ? null : lowestIdSince(since);
  const checks = new Map<string, InvariantCheck>();
  let rows = 0;
  let lastId: string | null = after;
  // As a share of the limit: a row of one scan is more work than one of another.
  let used = 0;
  for (; at < scans.length; at += 1, lastId = null) {
    const scan = scans[at] as Scan;
    const most = Math.max(1, Math.floor((limit * (1 - used)) / (scan.rows?.weight ?? 1)));
    const ids = await nextIds(db, scan, { first, lastId, most });
    for (const check of await checkRows(db, scan, { ids, first })) {
      // Two scans may have a check in common.
      const before = checks.get(check.name);
      if (before === undefined || before.holds) checks.set(check.name, check);
    }
    rows += ids.length;
    used += (ids.length * (scan.rows?.weight ?? 1)) / limit;
    if (scan.rows !== undefined && ids.length === most) {
      lastId = ids.at(-1) ?? null;
      const share = await shareDone(db, scan, { first, lastId });
      const done = (at + share) / scans.length;
      return { checks: [...checks.values()], rows, done, next: `${scan.name}:${lastId}` };
    }
  }
  return { checks: [...checks.values()], rows, done: 1, next: null };
}

interface Place {
  first: string | null;
  lastId: string | null;
}

async function nextIds(
  db: Db,
  { rows }: Scan,
  { first, lastId, most }: Place & { most: number },
): Promise<string[]> {
  if (rows === undefined) return [];
  const found = await query<{ id: string }>(db, rows.select(first), [lastId, most]);
  return found.map(({ id }) => id);
}

async function checkRows(
  db: Db,
  { rows, checks }: Scan,
  { ids, first }: { ids: string[]; first: string | null },
): Promise<InvariantCheck[]> {
  const expanded =
    rows?.expand === undefined || ids.length === 0
      ? ids
      : (await query<{ id: string }>(db, rows.expand(first), [ids])).map(({ id }) => id);
  const checked: InvariantCheck[] = [];
  for (const { name, violations } of checks) {
    const found =
      rows !== undefined && expanded.length === 0
        ? []
        : typeof violations === 'string'
          ? await query(
              db,
              `${violations} LIMIT ${MAX_VIOLATIONS}`,
              rows === undefined ? [] : [expanded],
            )
          : await violations(db, expanded);
    checked.push({ name, holds: found.length === 0, violations: found.slice(0, MAX_VIOLATIONS) });
  }
  return checked;
}

async function shareDone(db: Db, { rows }: Scan, { first, lastId }: Place): Promise<number> {
  if (rows?.span === undefined || lastId === null) return 0;
  const span = await queryRow<{ first: string; last: string }>(db, rows.span(first));
  if (span === undefined) return 0;
  const [from, to] = [positionOf(span.first), positionOf(span.last)];
  return to === from ? 1 : Math.min(1, (positionOf(lastId) - from) / (to - from));
}

/** The first 48 bits of an id, which is where it is among others. */
function positionOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

/** Clocks of processes differ, and a row is stored some time after its id was drawn. */
const ID_MARGIN_MS = 86_400_000;

/** An id of version 7 below all that were drawn since then. */
function lowestIdSince(since: Date): string {
  const time = Math.max(0, since.getTime() - ID_MARGIN_MS)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
