import { endpoint } from '@fiado/chassis/http/endpoint';
import { EXAMPLE_DATA } from '@fiado/contracts/event-examples';
import { EVENT_TYPES, EVENT_TYPES_OF_OWNER } from '@fiado/contracts/events';
import * as t from '@fiado/chassis/openapi/json-schema';
import { eventOwnerOf } from './event-owner';

export const listEventTypesEndpoint = endpoint({
  id: 'listEventTypes',
  tag: 'Events',
  route: 'GET /v1/event-types',
  scope: 'webhooks:read',
  summary: 'List the event types that you can get, with examples of their data',
  answer: t.object('EventTypes', {
    eventTypes: t.listOf(
      t.object('EventTypeExample', { type: t.oneOf(EVENT_TYPES), data: t.freeForm }),
    ),
  }),
  example: { eventTypes: [{ type: 'endpoint.test', data: EXAMPLE_DATA['endpoint.test'] }] },
  input: ({ caller }) => eventOwnerOf(caller).kind,
  handle: async (_context: object, kind) => EVENT_TYPES_OF_OWNER[kind],
  present: (types) => ({
    eventTypes: types.map((type) => ({ type, data: EXAMPLE_DATA[type] })),
  }),
});
