import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_DATA } from '@fiado/contracts/event-examples';
import { EVENT_TYPES, eventIdOf, type EventType } from '@fiado/contracts/events';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { eventOwnerOf, lockOwner } from '../events/event-owners.sql';
import { lockEnabledEndpoint } from './endpoints.sql';

/** Tests of an owner in a minute. */
const MAX_TESTS_PER_MINUTE = 10;
/** The limit of tests is for each minute. */
const RETRY_AFTER_SECONDS = 60;

/** The event and its delivery, unless the owner, whose row is locked, has made too many. */
const INSERT = `
  WITH owner AS (
    UPDATE event_owners SET last_position = last_position + 1
     WHERE id = $2
       AND (SELECT count(*) FROM events
             WHERE owner_id = $2 AND is_test AND occurred_at > now() - interval '1 minute') < $7
    RETURNING last_position
  ), event AS (
    INSERT INTO events
      (id, owner_id, position, type, subject_id, subject_version, body, occurred_at, is_test)
    SELECT $1, $2, last_position, $3, $4, 1, $5, now(), true FROM owner
    RETURNING id, position
  )
  INSERT INTO webhook_deliveries
    (id, endpoint_id, event_id, run, subject_id, subject_version, position, status)
  SELECT $6, $4, id, 0, $4, 1, position, 'pending' FROM event
  RETURNING 1`;

class TestBody {
  @About('Type of the event. `endpoint.test` without it')
  @IsOptional()
  @IsIn(EVENT_TYPES)
  type?: EventType;
}

export const testWebhookEndpointEndpoint = endpoint({
  id: 'testWebhookEndpoint',
  as: 'webhookEndpoints.test',
  tag: 'Events',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/test',
  scope: 'webhooks:write',
  names: { webhookEndpointId: 'webhook-endpoint' },
  idempotent: true,
  summary: 'Send a test event',
  description:
    'With example data, to this endpoint alone, of any type; it is in no list of events. Ten a minute.',
  body: TestBody,
  bodyExample: { type: 'transaction.created' },
  bodyOptional: true,
  status: 202,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_IS_NOT_ENABLED'],
  answer: t.object('StartedDelivery', { deliveryId: fields.deliveryId }),
  input: ({ body, id, caller }) => ({
    owner: eventOwnerOf(caller),
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    type: body.type ?? 'endpoint.test',
  }),
  // Sends an event with example data to one endpoint, whether or not it wants events of that type. It
  // is signed, retried and logged like any other, and is in no list of events.
  handle: async (
    context: Context,
    { owner, id: endpointId, type },
    answerOf: StoreAnswer<{ deliveryId: string }>,
  ) => {
    const eventId = newId();
    const body = JSON.stringify({
      id: eventIdOf(eventId),
      type,
      timestamp: context.clock.now().toISOString(),
      data: {
        ...EXAMPLE_DATA[type],
        ...(type === 'endpoint.test' && { webhookEndpointId: endpointId }),
      },
    });
    const deliveryId = newId();
    const sent = await answerInTransaction(context, answerOf, async (tx) => {
      await lockOwner(tx, owner);
      await lockEnabledEndpoint(tx, owner.id, endpointId);
      const inserted = await query(tx, INSERT, [
        eventId,
        owner.id,
        type,
        endpointId,
        body,
        deliveryId,
        MAX_TESTS_PER_MINUTE,
      ]);
      if (inserted.length === 0) {
        throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      return { deliveryId };
    });
    context.webhookSender.wake();
    return sent;
  },
  present: ({ deliveryId }) => ({ deliveryId }),
});
