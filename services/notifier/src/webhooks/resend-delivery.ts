import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockEnabledEndpoint } from './endpoints.sql';
import { findDelivery } from './get-delivery';

/** Makes the open delivery of the event of delivery $1 due now, if it has one. */
const HURRY = `
  UPDATE webhook_deliveries
     SET next_attempt_at = CASE WHEN status = 'pending' THEN now() ELSE next_attempt_at END
   WHERE status IN ('pending', 'sending')
     AND (event_id, endpoint_id)
       = (SELECT event_id, endpoint_id FROM webhook_deliveries WHERE id = $1)
  RETURNING id`;

/** Sends the event of delivery $2 once more, as delivery $1. */
const SEND_AGAIN = `
  INSERT INTO webhook_deliveries
    (id, endpoint_id, event_id, run, subject_id, subject_version, position, status)
  SELECT $1, endpoint_id, event_id,
         (SELECT max(run) + 1 FROM webhook_deliveries runs
           WHERE runs.event_id = d.event_id AND runs.endpoint_id = d.endpoint_id),
         subject_id, subject_version, position, 'pending'
    FROM webhook_deliveries d WHERE id = $2`;

export const resendDeliveryEndpoint = endpoint({
  id: 'resendDelivery',
  as: 'webhookEndpoints.resendDelivery',
  tag: 'Events',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/deliveries/:deliveryId/resend',
  scope: 'webhooks:write',
  names: { webhookEndpointId: 'webhook-endpoint', deliveryId: 'delivery' },
  summary: 'Send an event to a webhook endpoint again',
  description:
    'Under the same event id. An event that waits for its next attempt is sent now, as the same ' +
    'delivery; any other becomes a new one.',
  errors: [
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_DELIVERY_NOT_FOUND',
    'WEBHOOK_ENDPOINT_IS_NOT_ENABLED',
  ],
  idempotent: true,
  status: 202,
  answer: t.object('StartedDelivery', { deliveryId: fields.deliveryId }),
  input: ({ id, caller }) => ({
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    deliveryId: id('deliveryId', 'WEBHOOK_DELIVERY_NOT_FOUND'),
    ownerId: caller.id,
  }),
  // Sends an event to an endpoint once more, with the same event id. One that still waits for its next
  // attempt is made due now.
  handle: async (
    context: Context,
    { ownerId, endpointId, deliveryId },
    answerOf: StoreAnswer<{ deliveryId: string }>,
  ) => {
    const sent = await answerInTransaction(context, answerOf, async (tx) => {
      await lockEnabledEndpoint(tx, ownerId, endpointId);
      if ((await findDelivery(tx, endpointId, deliveryId)) === undefined) {
        throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
      }
      const [open] = await query<{ id: string }>(tx, HURRY, [deliveryId]);
      if (open !== undefined) return { deliveryId: open.id };
      const id = newId();
      await query(tx, SEND_AGAIN, [id, deliveryId]);
      return { deliveryId: id };
    });
    context.webhookSender.wake();
    return sent;
  },
  present: ({ deliveryId }) => ({ deliveryId }),
});
