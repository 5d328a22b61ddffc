import { setTimeout as sleep } from 'node:timers/promises';
import { guardRow } from '@fiado/chassis/loop';
import { inSpan } from '@fiado/chassis/tracing/tracer';
import { eventIdOf } from '@fiado/contracts/events';
import { WEBHOOK_SENDER, type Context } from '../context';
import { countAttempt, oldestDueWebhook, webhookEndpoints, webhooksPending } from '../metrics';
import {
  claimDeliveries,
  DELIVERY_CLAIM_SECONDS,
  markSlow,
  recordAttempt,
  type ClaimedDelivery,
  type FinishedAttempt,
} from './claim-deliveries.sql';
import { decisionOf, LANE_LIMITS, LANES, LEAVE_LANE_MS, type Lane } from './delivery.rules';
import { findSecrets, openSecret, signatureHeader, type SealedSecret } from './secrets';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import { ENDPOINT_STATES } from './endpoints.sql';
import type { WebhookEndpointRow } from './webhook-endpoint.entity';

const USER_AGENT = 'Fiado-Webhooks/1';
/** Pause before an outcome is stored again that the database did not take. */
const STORE_AGAIN_MS = 1_000;

/**
 * One round of the webhook sender: claims what is due, as far as the lanes have places, and starts
 * to send it without waiting for any endpoint. It is woken when a place is free again.
 * @returns whether there may be more to claim now
 */
export async function sendDueWebhooks(context: Context): Promise<boolean> {
  const free = Object.fromEntries(
    LANES.map((lane) => [lane, LANE_LIMITS[lane].places - context.placesTaken[lane]]),
  ) as Record<Lane, number>;
  const claimed = await claimDeliveries(context.db, free);
  if (claimed.length === 0) return false;

  const secrets = await findSecrets(context.db, [
    ...new Set(claimed.map(({ endpointId }) => endpointId)),
  ]);
  for (const delivery of claimed) {
    const own = secrets.filter(({ endpointId }) => endpointId === delivery.endpointId);
    start(context, delivery, own);
  }
  return true;
}

/** Starts one attempt. What goes wrong is logged: its claim lapses, and it is made again. */
function start(context: Context, delivery: ClaimedDelivery, secrets: SealedSecret[]): void {
  const { log, attempts } = context;
  const { id: deliveryId, lane } = delivery;
  const leaveLane = takePlace(context, lane);
  const tooSlow = setTimeout(() => {
    leaveLane();
    markSlow(context.db, delivery.endpointId).catch((error: unknown) => {
      log.warn({ err: error, deliveryId }, 'endpoint could not be marked as slow');
    });
  }, LEAVE_LANE_MS);

  const attempt: Promise<unknown> = guardRow(WEBHOOK_SENDER, { log, deliveryId }, () =>
    sendWebhook(context, delivery, secrets),
  )
    .catch((error: unknown) => log.error({ err: error, deliveryId }, 'webhook outcome not stored'))
    .finally(() => {
      clearTimeout(tooSlow);
      leaveLane();
      attempts.delete(attempt);
    });
  attempts.add(attempt);
}

/** @returns gives the place back, once */
function takePlace({ placesTaken, webhookSender }: Context, lane: Lane): () => void {
  placesTaken[lane] += 1;
  let holds = true;
  return () => {
    if (!holds) return;
    holds = false;
    placesTaken[lane] -= 1;
    webhookSender.wake();
  };
}

/**
 * Makes one attempt at a delivery that is committed as sending, and stores its outcome. When the
 * process dies before that, the claim lapses and the event is sent again with the same id.
 */
function sendWebhook(
  context: Context,
  claimed: ClaimedDelivery,
  secrets: SealedSecret[],
): Promise<void> {
  const attributes = {
    'fiado.event.type': claimed.type,
    'fiado.endpoint.id': claimed.endpointId,
    'fiado.attempt': claimed.attempt,
  };
  // A trigger wrote the event, and knows of no trace.
  return inSpan('send webhook', { kind: 'client', parent: null, attributes }, () =>
    attemptDelivery(context, claimed, secrets),
  );
}

async function attemptDelivery(
  context: Context,
  claimed: ClaimedDelivery,
  secrets: SealedSecret[],
): Promise<void> {
  const startedMs = context.monotonicMs();
  const outcome = await context.webhooks.post({
    url: claimed.url,
    headers: headersOf(context, claimed, secrets),
    body: claimed.body,
  });
  const ms = Math.round(context.monotonicMs() - startedMs);
  const answered = 'status' in outcome ? outcome : undefined;
  const decision = decisionOf(
    {
      status: answered?.status ?? null,
      directive: textOf(answered?.headers['webhook-delivery']),
      retryAfter: textOf(answered?.headers['retry-after']),
    },
    { attempt: claimed.attempt, now: claimed.startedAt.getTime(), random: Math.random() },
  );
  const error = 'error' in outcome ? outcome.error : null;
  countAttempt({ lane: claimed.lane, status: answered?.status, error });
  const { disabled } = await storeOutcome(context, {
    claimed,
    decision,
    ms,
    httpStatus: answered?.status ?? null,
    error,
    responseHead: answered?.head ?? null,
  });
  const { id: deliveryId, endpointId, attempt } = claimed;
  const { status } = decision;
  context.log[disabled ? 'warn' : 'info'](
    { deliveryId, endpointId, attempt, status, error, httpStatus: answered?.status, ms, disabled },
    'a webhook was attempted',
  );
}

function headersOf(
  context: Pick<Context, 'sealer'>,
  { eventId, startedAt, body }: ClaimedDelivery,
  secrets: SealedSecret[],
): Record<string, string> {
  const id = eventIdOf(eventId);
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const opened = secrets.map((secret) => ({
    kind: secret.kind,
    secret: openSecret(context, secret),
  }));
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader(opened, { id, timestamp, body }),
  };
}

/**
 * Stores an outcome, again and again when the database does not take it: nobody else decides on the
 * delivery before its claim ends.
 * @throws Error of the last try
 */
async function storeOutcome(
  { db, log, monotonicMs }: Context,
  attempt: FinishedAttempt,
): Promise<{ disabled: boolean }> {
  const giveUpMs = monotonicMs() + DELIVERY_CLAIM_SECONDS * 1_000 - attempt.ms;
  for (;;) {
    try {
      return await recordAttempt(db, attempt);
    } catch (error) {
      if (monotonicMs() + STORE_AGAIN_MS > giveUpMs) throw error;
      const deliveryId = attempt.claimed.id;
      log.warn({ err: error, deliveryId }, 'webhook outcome could not be stored; retrying');
      await sleep(STORE_AGAIN_MS);
    }
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/**
 * Reads what waits for webhook endpoints, and how many are in each state. Endpoints that fail or hang
 * are not what the sender is late with.
 */
export async function sampleWebhooks({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const backlog = await queryOne<{ pending: number; oldestDueSeconds: number }>(
    db,
    `SELECT count(*) AS pending,
            coalesce(greatest(0, EXTRACT(EPOCH FROM now() - min(next_attempt_at)
              FILTER (WHERE good_at > now() - interval '24 hours' AND NOT slow AND NOT ordered
                        AND state = 'enabled'))), 0)::float8 AS "oldestDueSeconds"
       FROM webhook_deliveries JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
      WHERE status = 'pending'`,
  );
  const states = await query<Pick<WebhookEndpointRow, 'state'> & { count: number }>(
    db,
    `SELECT state, count(*) AS count FROM webhook_endpoints WHERE state <> 'deleted' GROUP BY state`,
  );
  return [
    webhooksPending({}, backlog.pending),
    oldestDueWebhook({}, backlog.oldestDueSeconds),
    ...ENDPOINT_STATES.map((state) =>
      webhookEndpoints({ state }, states.find((one) => one.state === state)?.count ?? 0),
    ),
  ];
}
