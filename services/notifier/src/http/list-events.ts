import { IsOptional } from 'class-validator';
import { IsText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { EVENT_TYPES } from '@fiado/contracts/events';
import { JsonText } from '@fiado/contracts/json-text';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { listEvents } from '../use-cases/list-events';
import { EventQuery } from './event-query';

class ListEventsQuery extends EventQuery {
  /** `nextCursor` of the page before, or the `id` of the last event that you have. */
  @IsOptional()
  @IsText(40)
  cursor?: string;
}

/** It is answered as the stored text, with all digits of its numbers. */
const eventAnswer: t.Schema<object> = t.object('Event', {
  id: { ...t.text, description: '`evt_` and a UUID: the same at each delivery' },
  type: t.oneOf(EVENT_TYPES),
  timestamp: { ...t.timestamp, description: 'When it happened' },
  data: { ...t.freeForm, description: 'The object as its own GET shows it, with `version`' },
});

export const listEventsEndpoint = endpoint({
  id: 'listEvents',
  tag: 'Events',
  route: 'GET /v1/events',
  scope: 'webhooks:read',
  summary: 'List events, oldest first',
  description:
    'The events of the last 30 days, for systems that no webhook can reach. At the end `nextCursor` ' +
    'is null: call again later with the `id` of the last event as `cursor`. No event is added ' +
    'before one that was listed. Empty until events are switched on.',
  query: ListEventsQuery,
  answer: t.page('EventPage', { events: t.listOf(eventAnswer) }, t.text),
  example: {
    events: [
      {
        id: 'evt_0199e2c4-5f1a-7c3d-8e7f-6a5b4c3d2e1f',
        type: 'endpoint.test',
        timestamp: '2026-09-21T16:04:05.678Z',
        data: { webhookEndpointId: '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e' },
      },
    ],
    nextCursor: null,
  },
  input: ({ query, caller }, { config }: Context) => ({
    ownerId: caller.id,
    type: query.type,
    from: readDate('from', query.from, config.TIME_ZONE),
    to: readDate('to', query.to, config.TIME_ZONE),
    cursor: query.cursor,
    limit: query.limit,
  }),
  handle: listEvents,
  present: ({ page, nextCursor }) => ({
    events: page.map(({ body }): object => new JsonText(body)),
    nextCursor,
  }),
});
