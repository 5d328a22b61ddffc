import type { Db, Transaction } from '@fiado/chassis/db/database';
import { type AskedPage, pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { Page } from '@fiado/contracts/page';
import type { SignatureKind } from './secrets';
import type { WebhookEndpointRow } from './webhook-endpoint.entity';

/** Endpoints of one owner. */
export const MAX_ENDPOINTS = 10;
/** `disabled` is our doing, `paused` the owner's. */
export const ENDPOINT_STATES = ['enabled', 'paused', 'disabled'] as const;
/**
 * Why an endpoint was disabled: it failed for days, answered 410, or asked for it with the header
 * `webhook-delivery: disable`.
 */
export const DISABLED_REASONS = ['failing', 'gone', 'asked'] as const;

export interface WebhookEndpoint extends Pick<
  WebhookEndpointRow,
  | 'id'
  | 'ownerId'
  | 'url'
  | 'description'
  | 'ordered'
  | 'disabledReason'
  | 'failingSince'
  | 'createdAt'
> {
  state: Exclude<WebhookEndpointRow['state'], 'deleted'>;
  /** Patterns of events/event-patterns.rules.ts. */
  events: WebhookEndpointRow['events'];
  /** Failed attempts since the last success. */
  failures: WebhookEndpointRow['failures'];
  signatures: SignatureKind[];
  /** The public key of its v1a signatures, if it has them. */
  publicKey: string | null;
}

const ENDPOINT = `
  e.id, e.owner_id, e.url, e.description, e.events, e.ordered, e.state, e.disabled_reason,
  e.failures, e.failing_since, e.created_at,
  ARRAY (SELECT kind FROM webhook_secrets WHERE endpoint_id = e.id AND expires_at IS NULL
          ORDER BY kind) AS signatures,
  (SELECT public_key FROM webhook_secrets
    WHERE endpoint_id = e.id AND kind = 'v1a' AND expires_at IS NULL) AS "publicKey"`;

export async function countEndpoints(db: Db, ownerId: string): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    "SELECT count(*) FROM webhook_endpoints WHERE owner_id = $1 AND state <> 'deleted'",
    [ownerId],
  );
  return count;
}

/** An endpoint of this owner. @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function ownEndpoint(db: Db, ownerId: string, id: string): Promise<WebhookEndpoint> {
  const endpoint = await queryRow<WebhookEndpoint>(
    db,
    `SELECT ${ENDPOINT} FROM webhook_endpoints e
      WHERE e.id = $1 AND e.owner_id = $2 AND e.state <> 'deleted'`,
    [id, ownerId],
  );
  if (endpoint === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return endpoint;
}

/** The same with its row locked. @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function lockOwnEndpoint(
  tx: Transaction,
  ownerId: string,
  id: string,
): Promise<WebhookEndpoint> {
  // The lock waits for another change; the next statement reads what that change committed.
  const text = 'SELECT FROM webhook_endpoints WHERE id = $1 AND owner_id = $2 FOR UPDATE';
  await query(tx, text, [id, ownerId]);
  return ownEndpoint(tx, ownerId, id);
}

/** The same, for what is sent at once. @throws AppError WEBHOOK_ENDPOINT_IS_NOT_ENABLED too */
export async function lockEnabledEndpoint(
  tx: Transaction,
  ownerId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await lockOwnEndpoint(tx, ownerId, id);
  if (endpoint.state !== 'enabled') throw new AppError('WEBHOOK_ENDPOINT_IS_NOT_ENABLED');
  return endpoint;
}

/** A page of the endpoints of one owner or of all, oldest first. */
export function pageOfEndpoints(
  db: Db,
  { ownerId, state }: { ownerId?: string | undefined; state?: string | undefined },
  asked: AskedPage,
): Promise<Page<WebhookEndpoint>> {
  return pageOfRows<WebhookEndpoint>(db, asked, {
    select: `SELECT ${ENDPOINT} FROM webhook_endpoints e`,
    from: 'webhook_endpoints e',
    of: { owner_id: ownerId },
    where: { 'e.state = $': state, "e.state <> 'deleted'": true },
    oldestFirst: true,
  });
}

/** The fields that an owner changes; absent fields keep their values. */
export interface EndpointChange {
  url?: string | undefined;
  description?: string | undefined;
  events?: string[] | undefined;
  ordered?: boolean | undefined;
  state?: 'enabled' | 'paused' | undefined;
}

/** Changes an endpoint whose row is locked. Enabling an endpoint resets its failures. */
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
    [id, url, description, events, ordered, state],
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
