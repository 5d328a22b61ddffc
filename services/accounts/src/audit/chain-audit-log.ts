import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { auditChainBroken, oldestUnchained } from '../metrics';
import { type ChainPoint, linkHash } from './audit-chain';

/** Some 150 kB of content; a backlog goes batch after batch. */
export const CHAIN_BATCH_SIZE = 500;

/** An entry `a` of the audit log as one JSON text. The time is a number, free of time zones. */
export const CONTENT = `jsonb_build_array(a.id, (extract(epoch FROM a.occurred_at) * 1000000)::bigint,
  a.actor_kind, a.actor_id, a.action, a.object_id, a.details)::text`;

/**
 * Chains one batch of new entries. Of several instances, one chains at a time. The order of the chain is that of this loop: an entry whose transaction commits
 * late comes later in the chain, whatever its time.
 * @returns whether there may be more
 */
export function chainAuditLog({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    let head = await queryRow<ChainPoint>(
      tx,
      'SELECT position, hash FROM audit_chain_head FOR UPDATE SKIP LOCKED',
    );
    if (head === undefined) return false;
    const entries = await takeUnchained(tx, CHAIN_BATCH_SIZE);
    if (entries.length === 0) return false;

    const links = [];
    for (const entry of entries) {
      const position: number = head.position + 1;
      head = { position, hash: linkHash(head.hash, position, entry.content) };
      links.push({ ...entry, ...head });
    }
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
    await query(tx, 'UPDATE audit_chain_head SET position = $1, hash = $2', [
      head.position,
      head.hash,
    ]);
    return entries.length === CHAIN_BATCH_SIZE;
  });
}

/**
 * Takes waiting entries, oldest insert first. One that waits but is not in the log stays, so that its
 * deletion is seen.
 */
async function takeUnchained(
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

/** Reads whether the audit chain is broken, and how long its oldest entry waits to be chained. */
export async function sampleAuditChain({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { isBroken, oldestUnchainedSeconds } = await queryOne<{
    isBroken: boolean;
    oldestUnchainedSeconds: number;
  }>(
    db,
    `SELECT break IS NOT NULL AS "isBroken",
            coalesce((SELECT extract(epoch FROM now() - since) FROM audit_unchained
                       ORDER BY seq LIMIT 1), 0)::float8 AS "oldestUnchainedSeconds"
       FROM audit_chain_head`,
  );
  return [auditChainBroken({}, isBroken ? 1 : 0), oldestUnchained({}, oldestUnchainedSeconds)];
}
