import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

const ENDPOINT = `
  e.id, e.owner_id, e.url, e.description, e.events, e.ordered, e.state, e.disabled_reason,
  e.failures, e.failing_since, e.created_at,
  ARRAY (SELECT kind FROM webhook_secrets WHERE endpoint_id = e.id AND expires_at IS NULL
          ORDER BY kind) AS signatures,
  (SELECT public_key FROM webhook_secrets
    WHERE endpoint_id = e.id AND kind = 'v1a' AND expires_at IS NULL) AS "publicKey"`;

type Row = WebhookEndpoint & Record<string, unknown>;

export async function countEndpoints(db: Db, ownerId: string): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    "SELECT count(*) FROM webhook_endpoints WHERE owner_id = $1 AND state <> 'deleted'",
    [ownerId],
  );
  return count;
}

/** An endpoint of an owner; undefined when it has none of that id. */
export async function findEndpoint(
  db: Db,
  ownerId: string,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  return queryRow<Row>(
    db,
    `SELECT ${ENDPOINT} FROM webhook_endpoints e
      WHERE e.id = $1 AND e.owner_id = $2 AND e.state <> 'deleted'`,
    [id, ownerId],
  );
}

/** The owner of an endpoint. @returns undefined when there is no such endpoint */
export async function findOwnerOf(db: Db, id: string): Promise<string | undefined> {
  const [endpoint] = await query<{ ownerId: string }>(
    db,
    `SELECT owner_id FROM webhook_endpoints WHERE id = $1 AND state <> 'deleted'`,
    [id],
  );
  return endpoint?.ownerId;
}

/** Locks the row of an endpoint. @returns whether the owner has it */
export async function lockEndpoint(tx: Transaction, ownerId: string, id: string): Promise<boolean> {
  const rows = await query(
    tx,
    `SELECT 1 FROM webhook_endpoints
      WHERE id = $1 AND owner_id = $2 AND state <> 'deleted' FOR UPDATE`,
    [id, ownerId],
  );
  return rows.length === 1;
}

export interface EndpointFilter {
  /** All owners' without it. */
  ownerId?: string | undefined;
  state?: string | undefined;
  afterId: string | undefined;
  limit: number;
}

/** Endpoints, oldest first. */
export function findEndpoints(
  db: Db,
  { ownerId, state, afterId, limit }: EndpointFilter,
): Promise<WebhookEndpoint[]> {
  return query<Row>(
    db,
    `SELECT ${ENDPOINT} FROM webhook_endpoints e
      WHERE ($1::uuid IS NULL OR e.owner_id = $1)
        AND ($2::text IS NULL OR e.state = $2) AND e.state <> 'deleted'
        AND ($3::uuid IS NULL OR e.id > $3)
      ORDER BY e.id LIMIT $4`,
    [ownerId ?? null, state ?? null, afterId ?? null, limit],
  );
}

/** What an owner changes; what is absent stays as it is. */
export interface EndpointChange {
  url?: string | undefined;
  description?: string | undefined;
  events?: string[] | undefined;
  ordered?: boolean | undefined;
  state?: 'enabled' | 'paused' | undefined;
}

/**
 * Changes an endpoint whose row is locked. One that is enabled again starts anew: its failures are
 * forgotten.
 */
export async function updateEndpoint(
  tx: Transaction,
  id: string,
  { url, description, events, ordered, state }: EndpointChange,
): Promise<void> {
  await query(
    tx,
    `UPDATE webhook_endpoints
        SET url = coalesce($2, url), description = coalesce($3, description),
            events = coalesce($4::text[], events), ordered = coalesce($5::boolean, ordered),
            state = coalesce($6::text, state), updated_at = now()
      WHERE id = $1`,
    [id, url ?? null, description ?? null, events ?? null, ordered ?? null, state ?? null],
  );
  if (state !== 'enabled') return;
  await query(
    tx,
    `UPDATE webhook_endpoints
        SET disabled_reason = NULL, disabled_told = true, enabled_at = now(),
            failing_since = NULL, failures = 0, slow = false
      WHERE id = $1`,
    [id],
  );
}

/** Sends what was held while its owner paused an endpoint. */
export async function releaseHeld(tx: Transaction, endpointId: string): Promise<void> {
  await query(
    tx,
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now(), updated_at = now()
      WHERE endpoint_id = $1 AND status = 'held'`,
    [endpointId],
  );
}

/** Ends an endpoint whose row is locked. Its deliveries go with their events. */
export async function markDeleted(tx: Transaction, id: string): Promise<void> {
  await query(tx, 'DELETE FROM webhook_secrets WHERE endpoint_id = $1', [id]);
  await query(
    tx,
    `UPDATE webhook_endpoints SET state = 'deleted', disabled_told = true, updated_at = now()
      WHERE id = $1`,
    [id],
  );
  await query(
    tx,
    `UPDATE webhook_deliveries SET status = 'aborted', updated_at = now()
      WHERE endpoint_id = $1 AND status IN ('pending', 'held')`,
    [id],
  );
}
