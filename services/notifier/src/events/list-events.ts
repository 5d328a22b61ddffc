import { IsIn, IsOptional, isUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText, IsText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { EXAMPLE_DATA } from '@fiado/contracts/event-examples';
import {
  EVENT_TYPES,
  EVENT_TYPES_OF_OWNER,
  eventIdOf,
  uuidOfEventId,
} from '@fiado/contracts/events';
import { JsonText } from '@fiado/contracts/json-text';
import { LimitQuery, pageOf } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { eventOwnerOf } from './event-owners.sql';
import { EVENT_PATTERNS, typesNamedBy } from './event-patterns.rules';

/** The events or deliveries of a list. Each list has a cursor of its own kind. */
export class EventQuery extends LimitQuery {
  @About('Only this type, or a group of types such as `transaction.*`')
  @IsOptional()
  @IsIn(EVENT_PATTERNS)
  type?: string;

  /** First day or moment. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which it happened. */
  @IsOptional()
  @IsDateText()
  to?: string;
}

class ListEventsQuery extends EventQuery {
  /** `nextCursor` of the page before, or the `id` of the last event that you have. */
  @IsOptional()
  @IsText(40)
  cursor?: string;
}

/** It is answered as the stored text, with all digits of its numbers. */
export const eventType = t.field(t.oneOf(EVENT_TYPES), 'Type of the event');

const eventAnswer: t.Schema<object> = t.object('Event', {
  id: t.field(
    t.text,
    'Id of the event. `evt_` and a UUID: the same at each delivery',
    'evt_01934d3e-8a1f-7cc0-9d2b-6f2f3f0c7a31',
  ),
  type: eventType,
  timestamp: t.time('Time of the event. When it happened', '2026-09-21T16:04:05.678Z'),
  data: t.field(
    t.freeForm,
    'The object that the event is about. The object as its own GET shows it, with `version`',
  ),
});

export const listEventsEndpoint = listEndpoint({
  id: 'listEvents',
  as: 'events.list',
  tag: 'Events',
  route: 'GET /v1/events',
  scope: 'webhooks:read',
  names: {},
  summary: 'List events, oldest first',
  description:
    'The events of the last 30 days, for systems that no webhook can reach. At the end `nextCursor` ' +
    'is null: call again later with the `id` of the last event as `cursor`. No event is added ' +
    'before one that was listed. Empty until events are switched on.',
  query: ListEventsQuery,
  page: 'EventPage',
  items: { events: t.field(eventAnswer, 'Events, oldest first') },
  cursor: t.text,
  example: {
    id: 'evt_0199e2c4-5f1a-7c3d-8e7f-6a5b4c3d2e1f',
    type: 'endpoint.test',
    data: { webhookEndpointId: '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e' },
  },
  input: ({ query: { from, to, ...query }, caller }, { config }: Context) => ({
    ...query,
    ownerId: caller.id,
    from: readDate('from', from, config.TIME_ZONE),
    to: readDate('to', to, config.TIME_ZONE),
  }),
  // An event never appears before one that a reader has already seen.
  find: async ({ db }: Context, { ownerId, type, from, to, cursor, limit }) => {
    const found = await query<{ id: string; body: string }>(
      db,
      `SELECT id, body FROM events
        WHERE owner_id = $1 AND NOT is_test
          AND position > $2
          AND ($3::text[] IS NULL OR type = ANY ($3))
          AND ($4::timestamptz IS NULL OR occurred_at >= $4)
          AND ($5::timestamptz IS NULL OR occurred_at < $5)
        ORDER BY position LIMIT $6`,
      [
        ownerId,
        cursor === undefined ? 0 : await positionOf(db, ownerId, cursor),
        type === undefined ? null : typesNamedBy(type),
        from,
        to,
        limit + 1,
      ],
    );
    return pageOf(found, limit, ({ id }) => eventIdOf(id));
  },
  present: ({ body }): object => new JsonText(body),
});

/** Where an event stands. @throws ValidationError when it is none of the owner's last 30 days */
async function positionOf(db: Db, ownerId: string, cursor: string): Promise<number> {
  const id = uuidOfEventId(cursor);
  if (isUUID(id)) {
    const text = 'SELECT position FROM events WHERE id = $1 AND owner_id = $2';
    const [event] = await query<{ position: number }>(db, text, [id, ownerId]);
    if (event !== undefined) return event.position;
  }
  // An empty page would look like the end of the list for ever.
  throw new ValidationError(['cursor must be the id of an event of the last 30 days']);
}

export const listEventTypesEndpoint = endpoint({
  id: 'listEventTypes',
  as: 'events.listTypes',
  tag: 'Events',
  route: 'GET /v1/event-types',
  scope: 'webhooks:read',
  names: {},
  summary: 'List the event types that you can get, with examples of their data',
  answer: t.object('EventTypeList', {
    eventTypes: t.list(
      t.object('EventTypeExample', {
        type: eventType,
        data: t.field(t.freeForm, 'The object that the event is about'),
      }),
      'Each type with an example',
    ),
  }),
  example: { eventTypes: [{ type: 'endpoint.test', data: EXAMPLE_DATA['endpoint.test'] }] },
  input: ({ caller }) => eventOwnerOf(caller).kind,
  handle: async (_context: object, kind) => EVENT_TYPES_OF_OWNER[kind],
  present: (types) => ({
    eventTypes: types.map((type) => ({ type, data: EXAMPLE_DATA[type] })),
  }),
});
