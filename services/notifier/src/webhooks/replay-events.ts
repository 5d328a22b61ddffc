import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
} from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { EVENT_PATTERNS, typesNamedBy } from '../events/event-patterns.rules';
import { lockEnabledEndpoint } from './endpoints.sql';
import { WebhookReplayRow } from './webhook-replay.entity';

/** The events of the range that a replay sends: those that failed, those that were never delivered, or all. */
const REPLAY_CHOICES = ['failed', 'missing', 'all'] as const;
/** Events of one replay; repeat it for more. */
const MAX_REPLAYED = 10_000;
/** Pace of a replay, in events a second: new events go between them. */
const REPLAYED_PER_SECOND = 20;
type ReplayChoice = (typeof REPLAY_CHOICES)[number];

/**
 * Makes a new delivery of each event of a range, oldest first and one after another, at most $8. What
 * is on its way is left alone. The row of the endpoint is locked.
 */
const REPLAY = `
  WITH wanted AS (
    SELECT events.id, subject_id, subject_version, position, past.runs,
           row_number() OVER (ORDER BY position) AS turn
      FROM events
     CROSS JOIN LATERAL (
       SELECT coalesce(max(run) + 1, 0) AS runs,
              bool_or(status = 'delivered') AS delivered,
              bool_or(status IN ('pending', 'sending')) AS open,
              bool_or(status IN ('failed', 'aborted', 'held')) AS failed
         FROM webhook_deliveries
        WHERE event_id = events.id AND endpoint_id = $2) past
     WHERE owner_id = $3 AND NOT is_test AND type = ANY ($4)
       AND occurred_at >= $5 AND occurred_at < $6
       AND open IS NOT TRUE
       AND CASE $7 WHEN 'all' THEN true
                   WHEN 'failed' THEN failed IS TRUE AND delivered IS NOT TRUE
                   ELSE delivered IS NOT TRUE END
     ORDER BY position LIMIT $8
  ), replayed AS (
    INSERT INTO webhook_deliveries
      (id, endpoint_id, event_id, run, replay_id, subject_id, subject_version, position, status,
       next_attempt_at)
    SELECT uuidv7(), $2, id, runs, $1, subject_id, subject_version, position, 'pending',
           now() + make_interval(secs => (turn - 1)::float8 / $9)
      FROM wanted
    RETURNING 1
  )
  UPDATE webhook_replays SET count = (SELECT count(*) FROM replayed) WHERE id = $1
  RETURNING count`;

class ReplayBody {
  @About('First time of the range, ISO 8601', '2026-11-22T00:00:00Z')
  @IsDateText()
  from: string;

  @About('End of the range, not included, ISO 8601', '2026-11-23T00:00:00Z')
  @IsDateText()
  to: string;

  @About(
    'Only these types, or groups such as `transaction.*`; all that the endpoint wants without it',
  )
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(EVENT_PATTERNS.length)
  @ArrayUnique()
  @IsIn(EVENT_PATTERNS, { each: true })
  types?: string[];

  @About(
    'Which events are sent again: those that failed, those never delivered (without it), or all',
  )
  @IsOptional()
  @IsIn(REPLAY_CHOICES)
  only?: ReplayChoice;
}

export const replayEventsEndpoint = endpoint({
  id: 'replayEvents',
  as: 'webhookEndpoints.replay',
  tag: 'Events',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/replay',
  scope: 'webhooks:write',
  names: { webhookEndpointId: 'webhook-endpoint' },
  idempotent: true,
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
  answer: t.object('StartedReplay', {
    replayId: t.id('Id of the replay', '0199e2c4-5f1a-7e5f-8091-9babcbdcedfe'),
    count: t.field(t.count, 'Number of events that are sent again', 12),
  }),
  input: ({ body, id, caller }, { config }: Context) => ({
    ownerId: caller.id,
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    from: readDate('from', body.from, config.TIME_ZONE),
    to: readDate('to', body.to, config.TIME_ZONE),
    types: body.types,
    only: body.only ?? ('missing' as const),
  }),
  // Sends the events of a time range to an endpoint once more, oldest first, at a pace that leaves
  // room for new ones. Their ids are the same.
  handle: async (
    context: Context,
    { ownerId, endpointId, from, to, types, only },
    answerOf: StoreAnswer<Pick<WebhookReplayRow, 'count'> & { replayId: string }>,
  ) => {
    const started = await answerInTransaction(context, answerOf, async (tx) => {
      const endpoint = await lockEnabledEndpoint(tx, ownerId, endpointId);
      if (await isReplaying(tx, endpointId)) throw new AppError('WEBHOOK_REPLAY_RUNNING');
      const named = new Set(types?.flatMap(typesNamedBy));
      const wanted = [...new Set(endpoint.events.flatMap(typesNamedBy))];
      const replayId = newId();
      await tx.manager.insert(WebhookReplayRow, { id: replayId, endpointId, count: 0 });
      const { count } = await queryOne<Pick<WebhookReplayRow, 'count'>>(tx, REPLAY, [
        replayId,
        endpointId,
        ownerId,
        types === undefined ? wanted : wanted.filter((type) => named.has(type)),
        from,
        to,
        only,
        MAX_REPLAYED,
        REPLAYED_PER_SECOND,
      ]);
      return { replayId, count };
    });
    context.webhookSender.wake();
    return started;
  },
  present: ({ replayId, count }) => ({ replayId, count }),
});

/** Whether a replay to an endpoint has deliveries that were not tried yet. */
async function isReplaying(db: Db, endpointId: string): Promise<boolean> {
  const rows = await query(
    db,
    `SELECT 1 FROM webhook_deliveries
      WHERE status = 'pending' AND attempts = 0
        AND replay_id = (SELECT id FROM webhook_replays WHERE endpoint_id = $1
                          ORDER BY created_at DESC, id DESC LIMIT 1)
      LIMIT 1`,
    [endpointId],
  );
  return rows.length > 0;
}
