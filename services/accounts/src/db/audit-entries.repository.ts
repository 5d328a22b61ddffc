import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

/** An entry of the audit log. */
export interface AuditEntry {
  id: string;
  occurredAt: Date;
  actorKind: string;
  actorId: string;
  /** Of a person or an ops key; null for others. */
  actorName: string | null;
  action: string;
  objectId: string | null;
  /** Ids, numbers and states; never personal data. */
  details: object;
}

export interface AuditFilter {
  actorId: string | undefined;
  action: string | undefined;
  objectId: string | undefined;
  from: Date | undefined;
  /** Excluded. */
  to: Date | undefined;
  /** Id of the last entry of the page before. */
  cursor: string | undefined;
  limit: number;
}

/**
 * Audit entries, newest first. Only the conditions that are asked for are in the statement, so that
 * each filter has its index. Staff and ops keys are few, so their names need none.
 */
export function findAuditEntries(
  db: Db,
  { actorId, action, objectId, from, to, cursor, limit }: AuditFilter,
): Promise<AuditEntry[]> {
  const values: unknown[] = [];
  const conditions = (
    [
      ['actor_id =', actorId],
      ['action =', action],
      ['object_id =', objectId],
      ['occurred_at >=', from],
      ['occurred_at <', to],
    ] as const
  ).flatMap(([condition, value]) =>
    value === undefined ? [] : [`${condition} $${values.push(value)}`],
  );
  if (cursor !== undefined) {
    conditions.push(`(occurred_at, id)
      < (SELECT occurred_at, id FROM audit_log WHERE id = $${values.push(cursor)})`);
  }
  return query<AuditEntry>(
    db,
    `SELECT entry.*, coalesce(person.name, key.name) AS actor_name
       FROM (SELECT id, occurred_at, actor_kind, actor_id, action, object_id, details FROM audit_log
              ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
              ORDER BY occurred_at DESC, id DESC LIMIT $${values.push(limit)}) entry
       LEFT JOIN staff person ON person.id::text = actor_id
       LEFT JOIN ops_keys key ON key.id::text = actor_id
      ORDER BY occurred_at DESC, entry.id DESC`,
    values,
  );
}
