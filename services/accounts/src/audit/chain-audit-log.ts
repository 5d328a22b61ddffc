import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import { ACCESS_ACTIONS, type AuditAction } from '@fiado/contracts/audit-actions';
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
 * late comes later in the chain, whatever its time. Logs those about the access of a person, for whoever watches the log.
 * @returns whether there may be more
 */
export async function chainAuditLog({
  db,
  log,
}: Pick<Context, 'db'> & { log: Pick<Context['log'], 'warn'> }): Promise<boolean> {
  // Mostly nothing waits, and then a round is one statement.
  if ((await query(db, 'SELECT FROM audit_unchained LIMIT 1')).length === 0) return false;
  const chained = await chainBatch(db);
  for (const { entryId: auditEntryId, action: event, objectId: staffId } of chained) {
    if (!ACCESS_ACTIONS.includes(event)) continue;
    log.warn({ event, staffId, auditEntryId }, 'the access of a person changed');
  }
  return chained.length === CHAIN_BATCH_SIZE;
}

function chainBatch(db: Context['db']): Promise<Unchained[]> {
  return db.transaction(async (tx) => {
    let head = await queryRow<ChainPoint>(
      tx,
      'SELECT position, hash FROM audit_chain_head FOR UPDATE SKIP LOCKED',
    );
    if (head === undefined) return [];
    const entries = await takeUnchained(tx, CHAIN_BATCH_SIZE);
    if (entries.length === 0) return [];

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
    return entries;
  });
}

/** An entry that is to be chained. */
interface Unchained {
  entryId: string;
  action: AuditAction;
  objectId: string | null;
  content: string;
}

/**
 * Takes waiting entries, oldest insert first. One that waits but is not in the log stays, so that its
 * deletion is seen.
 */
async function takeUnchained(tx: Transaction, limit: number): Promise<Unchained[]> {
  const rows = await query<Unchained & { seq: number }>(
    tx,
    `SELECT w.seq, w.entry_id, a.action, a.object_id, ${CONTENT} AS content
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
