import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { AuditEntryRow } from '../audit/audit-entry.entity';

/** With this many roots everybody needs one to approve or to be approved (ADR 54). */
const ENOUGH_ROOTS = 2;

/** The actor that is OPS_API_KEY: the host's own key, which no person of the staff collected. */
export const HOST = 'ops';

/** A condition on a person `s`: it has been able to sign in. */
export const HAS_COME_IN = `
  (s.oidc_sub IS NOT NULL
   OR EXISTS (SELECT FROM staff_credentials c WHERE c.staff_id = s.id)
   OR EXISTS (SELECT FROM staff_sessions e WHERE e.staff_id = s.id))`;

/**
 * SQL of the root of a person or a key: an id that all accounts of one human share. A key has the root
 * of who collected it. Whoever is neither a person nor a named key (OPS_API_KEY, a wholesaler) is a root
 * of its own. Null: from before there were roots.
 * @param id an expression of type text
 */
export const rootSql = (id: string): string => `
  (WITH RECURSIVE chain AS (
     SELECT ${id}::text AS id
     UNION
     SELECT k.issued_by FROM chain JOIN ops_keys k ON k.id::text = chain.id
      WHERE k.issued_by IS NOT NULL)
   SELECT CASE WHEN s.id IS NULL THEN chain.id ELSE s.root_id::text END
     FROM chain LEFT JOIN staff s ON s.id::text = chain.id
    WHERE NOT EXISTS (SELECT FROM ops_keys k WHERE k.id::text = chain.id))`;

/** The roots of two people or keys, null where they are from before, and whether two roots exist. */
export async function rootsOf(
  db: Db,
  one: string,
  other: string,
): Promise<{ one: string | null; other: string | null; enough: boolean }> {
  return queryOne(
    db,
    `SELECT ${rootSql('$1')} AS one, ${rootSql('$2')} AS other,
            (SELECT count(*) FROM (
               SELECT FROM staff WHERE root_id = id LIMIT ${ENOUGH_ROOTS}) roots) = ${ENOUGH_ROOTS}
              AS enough`,
    [one, other],
  );
}

export async function rootOf(db: Db, id: string): Promise<string | null> {
  return (await queryOne<{ root: string | null }>(db, `SELECT ${rootSql('$1')} AS root`, [id]))
    .root;
}

/** Whether at least two people exist who are known to be different humans. */
export async function hasEnoughRoots(db: Db): Promise<boolean> {
  const roots = await query(db, `SELECT FROM staff WHERE root_id = id LIMIT ${ENOUGH_ROOTS}`);
  return roots.length === ENOUGH_ROOTS;
}

/**
 * Whether two accounts may be one human, so that one does not decide what the other asked for: they
 * are the same, have one root, or one came in by a link that the other one held. Once two roots exist, an
 * account without a root may be any human. A wholesaler may be each human who collected one of its keys.
 * @param one id of a person, a key or a wholesaler
 * @param other id of a person or a key
 */
export async function mayBeOneHuman(db: Db, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  for (const collector of await collectorsOf(db, one)) {
    if (await mayBeOneHuman(db, collector, other)) return true;
  }
  const links = await query(
    db,
    `SELECT FROM staff WHERE (id::text, admitted_by) IN (($1, $2), ($2, $1))
     UNION ALL
     SELECT FROM staff_invitations
      WHERE opened_at IS NOT NULL AND (staff_id::text, held_by) IN (($1, $2), ($2, $1))
     LIMIT 1`,
    [one, other],
  );
  if (links.length > 0) return true;
  const roots = await rootsOf(db, one, other);
  if (roots.one === null || roots.other === null) return roots.enough;
  return roots.one === roots.other;
}

/** Longer than a request waits: whoever asked with a key does not decide once it is revoked. */
const KEY_COUNTS_DAYS = 4;

/**
 * People and keys of ops that collected a key of a wholesaler, its first one or a later one, that is valid or was in
 * the last days.
 */
async function collectorsOf(db: Db, wholesalerId: string): Promise<string[]> {
  const collectors = await query<{ id: AuditEntryRow['actorId'] }>(
    db,
    `SELECT DISTINCT a.actor_id AS id
       FROM wholesalers w
       JOIN audit_log a ON a.object_id = w.id AND a.actor_kind = 'ops'
        AND a.action IN ('wholesaler.created', 'api-key.issued')
       JOIN api_keys k ON k.wholesaler_id = w.id
        AND coalesce(least(k.revoked_at, k.expires_at) > now() - make_interval(days => $2), true)
        -- The first key is made in the database transaction of its wholesaler, and not audited apart.
        AND (k.id::text = a.details ->> 'apiKeyId'
             OR (a.action = 'wholesaler.created' AND k.created_at = a.occurred_at))
      WHERE w.id::text = $1`,
    [wholesalerId, KEY_COUNTS_DAYS],
  );
  return collectors.map(({ id }) => id);
}
