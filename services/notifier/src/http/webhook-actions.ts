import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
} from 'class-validator';
import { IsDateText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { EVENT_TYPES, type EventType } from '@fiado/contracts/events';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { REPLAY_CHOICES, type ReplayChoice } from '../db/send-again';
import { EVENT_PATTERNS } from '../domain/event-pattern';
import { replayEvents } from '../use-cases/replay-events';
import { rotateWebhookSecret } from '../use-cases/rotate-webhook-secret';
import { testWebhookEndpoint } from '../use-cases/test-webhook-endpoint';
import { eventOwnerOf } from './event-owner';

const action = {
  tag: 'Events',
  scope: 'webhooks:write',
  idempotent: true,
} as const;

class TestBody {
  /** `endpoint.test` without it. */
  @IsOptional()
  @IsIn(EVENT_TYPES)
  type?: EventType;
}

export const testWebhookEndpointEndpoint = endpoint({
  ...action,
  id: 'testWebhookEndpoint',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/test',
  summary: 'Send a test event',
  description:
    'With example data, to this endpoint alone, of any type; it is in no list of events. Ten a minute.',
  body: TestBody,
  bodyExample: { type: 'transaction.created' },
  bodyOptional: true,
  status: 202,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_IS_NOT_ENABLED'],
  answer: t.object('StartedDelivery', { deliveryId: t.uuid }),
  example: { deliveryId: '0199e2c4-5f1a-7d4e-8f70-8a9bacbdcedf' },
  input: ({ body, id, caller }) => ({
    owner: eventOwnerOf(caller),
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    type: body.type ?? 'endpoint.test',
  }),
  handle: testWebhookEndpoint,
  present: ({ deliveryId }) => ({ deliveryId }),
});

/** A week: long enough for any deployment. */
const MAX_KEPT_HOURS = 168;
const DEFAULT_KEPT_HOURS = 24;

class RotateBody {
  /** How long the old secret signs beside the new one; 0 ends it at once. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_KEPT_HOURS)
  keepOldForHours?: number;
}

export const rotateWebhookSecretEndpoint = endpoint({
  ...action,
  id: 'rotateWebhookSecret',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/rotate-secret',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Both secrets sign each event until the old one ends: after 24 hours, or `keepOldForHours`, at ' +
    'most 168. A secret that was already being replaced ends at once. With `v1a` the key changes too.',
  body: RotateBody,
  bodyExample: { keepOldForHours: 48 },
  bodyOptional: true,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answerSealer: ({ sealer }: Context) => sealer,
  answer: t.object('WebhookSecret', { secret: t.text, publicKey: t.text }, ['publicKey']),
  example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  input: ({ body, id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    keepOldForHours: body.keepOldForHours ?? DEFAULT_KEPT_HOURS,
  }),
  handle: rotateWebhookSecret,
  present: ({ secret, publicKey }) => ({
    secret,
    ...(publicKey === null ? {} : { publicKey }),
  }),
});

class ReplayBody {
  /** First day or moment. */
  @IsDateText()
  from: string;

  /** Day or moment before which they happened. */
  @IsDateText()
  to: string;

  /** Types, or groups such as `transaction.*`; all that the endpoint wants without it. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(EVENT_PATTERNS.length)
  @ArrayUnique()
  @IsIn(EVENT_PATTERNS, { each: true })
  types?: string[];

  /** Events that failed, that were never delivered (`missing`, without it), or all. */
  @IsOptional()
  @IsIn(REPLAY_CHOICES)
  only?: ReplayChoice;
}

export const replayEventsEndpoint = endpoint({
  ...action,
  id: 'replayEvents',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/replay',
  summary: 'Send the events of a time range again',
  description:
    'Oldest first, 20 a second, under the same event ids; events that are on their way are left ' +
    'alone. `missing` also sends what was held, and what happened before the endpoint was made. At ' +
    'most 10,000 events: repeat it for the rest. One replay at a time.',
  body: ReplayBody,
  bodyExample: { from: '2026-09-21T00:00:00Z', to: '2026-09-22T00:00:00Z', only: 'missing' },
  status: 202,
  errors: [
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_ENDPOINT_IS_NOT_ENABLED',
    'WEBHOOK_REPLAY_RUNNING',
  ],
  answer: t.object('StartedReplay', { replayId: t.uuid, count: t.count }),
  example: { replayId: '0199e2c4-5f1a-7e5f-8091-9babcbdcedfe', count: 12 },
  input: ({ body, id, caller }, { config }: Context) => ({
    ownerId: caller.id,
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    from: readDate('from', body.from, config.TIME_ZONE) as Date,
    to: readDate('to', body.to, config.TIME_ZONE) as Date,
    types: body.types,
    only: body.only ?? ('missing' as const),
  }),
  handle: replayEvents,
  present: ({ replayId, count }) => ({ replayId, count }),
});
