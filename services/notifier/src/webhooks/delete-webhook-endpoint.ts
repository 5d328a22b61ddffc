import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { lockOwnEndpoint } from './endpoints.sql';
import { WebhookSecretRow } from './webhook-secret.entity';
import { WebhookEndpointRow } from './webhook-endpoint.entity';

export const deleteWebhookEndpointEndpoint = endpoint({
  id: 'deleteWebhookEndpoint',
  as: 'webhookEndpoints.delete',
  tag: 'Events',
  route: 'DELETE /v1/webhook-endpoints/:webhookEndpointId',
  scope: 'webhooks:write',
  names: { webhookEndpointId: 'webhook-endpoint' },
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it. Events stay switched on.',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answer: t.noContent,
  input: ({ id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  }),
  handle: ({ db }: Context, { ownerId, id }) =>
    db.transaction(async (tx) => {
      await lockOwnEndpoint(tx, ownerId, id);
      await markDeleted(tx, id);
    }),
  present: () => undefined,
});

/** Ends an endpoint whose row is locked. Its deliveries go with their events. */
async function markDeleted(tx: Transaction, id: string): Promise<void> {
  await tx.manager.delete(WebhookSecretRow, { endpointId: id });
  await tx.manager.update(WebhookEndpointRow, id, {
    state: 'deleted',
    disabledTold: true,
    updatedAt: () => 'now()',
  });
  await query(
    tx,
    // Not IN: each of the two has an index.
    `UPDATE webhook_deliveries SET status = 'aborted', updated_at = now()
      WHERE endpoint_id = $1 AND (status = 'pending' OR status = 'held')`,
    [id],
  );
}
