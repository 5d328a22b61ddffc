import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { ChainBreak, ChainPoint, StoredLink } from './audit-chain';

/** An entry `a` of the audit log as one JSON text. The time is a number, free of time zones. */
const CONTENT = `jsonb_build_array(a.id, (extract(epoch FROM a.occurred_at) * 1000000)::bigint,
  a.actor_kind, a.actor_id, a.action, a.object_id, a.details)::text`;

/** @returns undefined while another instance chains */
export function lockChainHead(tx: Transaction): Promise<ChainPoint | undefined> {
  return queryRow<ChainPoint>(
    tx,
    'SELECT position, hash FROM audit_chain_head FOR UPDATE SKIP LOCKED',
  );
}

export function chainHead(db: Db): Promise<ChainPoint> {
  return queryOne<ChainPoint>(db, 'SELECT position, hash FROM audit_chain_head');
}

/**
 * Takes waiting entries, oldest insert first. One that waits but is not in the log stays, so that its
 * deletion is seen.
 */
export async function takeUnchained(
  tx: Transaction,
  limit: number,
): Promise<{ entryId: string; content: string }[]> {
  const rows = await query<{ seq: number; entryId: string; content: string }>(
    tx,
    `SELECT w.seq, w.entry_id, ${CONTENT} AS content
       FROM audit_unchained w JOIN audit_log a ON a.id = w.entry_id ORDER BY w.seq LIMIT $1`,
    [limit],
  );
  await query(tx, 'DELETE FROM audit_unchained WHERE seq = ANY ($1::bigint[])', [
    rows.map(({ seq }) => seq),
  ]);
  return rows;
}

export async function insertLinks(
  tx: Transaction,
  links: Omit<StoredLink, 'entry'>[],
): Promise<void> {
  await query(
    tx,
    `INSERT INTO audit_chain (position, entry_id, content, hash)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::bytea[])`,
    [
      links.map(({ position }) => position),
      links.map(({ entryId }) => entryId),
      links.map(({ content }) => content),
      links.map(({ hash }) => hash),
    ],
  );
}

export async function moveChainHead(tx: Transaction, head: ChainPoint): Promise<void> {
  await query(tx, 'UPDATE audit_chain_head SET position = $1, hash = $2', [
    head.position,
    head.hash,
  ]);
}

/** Links after a position, with the entries that they name. */
export function findLinks(db: Db, after: number, limit: number): Promise<StoredLink[]> {
  return query<StoredLink>(
    db,
    `SELECT l.position, l.entry_id, l.content, l.hash,
            CASE WHEN a.id IS NOT NULL THEN ${CONTENT} END AS entry
       FROM (SELECT * FROM audit_chain WHERE position > $1 ORDER BY position LIMIT $2) l
       LEFT JOIN audit_log a ON a.id = l.entry_id
      ORDER BY l.position`,
    [after, limit],
  );
}

/** A page of entries of the log after an id, with whether each is chained or waits for it. */
export function findEntries(
  db: Db,
  after: string,
  limit: number,
): Promise<{ id: string; isKnown: boolean }[]> {
  return query<{ id: string; isKnown: boolean }>(
    db,
    `SELECT a.id, EXISTS (SELECT FROM audit_chain l WHERE l.entry_id = a.id)
               OR EXISTS (SELECT FROM audit_unchained w WHERE w.entry_id = a.id) AS "isKnown"
       FROM (SELECT id FROM audit_log WHERE id > $1 ORDER BY id LIMIT $2) a ORDER BY a.id`,
    [after, limit],
  );
}

/** An entry that waits for the chain although the log has it no more. */
export async function findLostEntry(db: Db): Promise<string | undefined> {
  const lost = await queryRow<{ entryId: string }>(
    db,
    `SELECT entry_id FROM audit_unchained w
      WHERE NOT EXISTS (SELECT FROM audit_log a WHERE a.id = w.entry_id)
      ORDER BY seq LIMIT 1`,
  );
  return lost?.entryId;
}

/** Starts the check of the day. @returns false when it is not due, or another instance makes it */
export async function claimDailyCheck(db: Db, everyHours: number): Promise<boolean> {
  const claimed = await query(
    db,
    `UPDATE audit_chain_head SET checked_at = now()
      WHERE checked_at < now() - make_interval(hours => $1) RETURNING 1`,
    [everyHours],
  );
  return claimed.length > 0;
}

/** After a check that failed: it is not to wait for a day. */
export async function makeCheckDue(db: Db): Promise<void> {
  await query(db, "UPDATE audit_chain_head SET checked_at = '-infinity'");
}

export async function recordCheck(db: Db, broken: ChainBreak | undefined): Promise<void> {
  await query(db, 'UPDATE audit_chain_head SET break = $1', [broken ?? null]);
}

/** For the gauges. */
export function chainState(db: Db): Promise<{ isBroken: boolean; oldestUnchainedSeconds: number }> {
  return queryOne<{ isBroken: boolean; oldestUnchainedSeconds: number }>(
    db,
    `SELECT break IS NOT NULL AS "isBroken",
            coalesce((SELECT extract(epoch FROM now() - since) FROM audit_unchained
                       ORDER BY seq LIMIT 1), 0)::float8 AS "oldestUnchainedSeconds"
       FROM audit_chain_head`,
  );
}
