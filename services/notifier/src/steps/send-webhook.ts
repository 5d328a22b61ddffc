import { setTimeout as sleep } from 'node:timers/promises';
import { inSpan } from '@fiado/chassis/tracing/tracer';
import { eventIdOf } from '@fiado/contracts/events';
import type { Context } from '../context';
import { DELIVERY_CLAIM_SECONDS, type ClaimedDelivery } from '../db/claim-deliveries';
import { recordAttempt, type FinishedAttempt } from '../db/record-attempt';
import type { SealedSecret } from '../db/webhook-secrets.repository';
import { decisionOf } from '../domain/delivery';
import { signatureHeader } from '../domain/webhook-signature';
import { countAttempt } from '../metrics-webhooks';
import { openSecret } from './webhook-secrets';

const USER_AGENT = 'Fiado-Webhooks/1';
/** Pause before an outcome is stored again that the database did not take. */
const STORE_AGAIN_MS = 1_000;

type SendContext = Pick<Context, 'db' | 'sealer' | 'webhooks' | 'monotonicMs' | 'log'>;

/**
 * Makes one attempt at a delivery that is committed as sending, and stores its outcome. When the
 * process dies before that, the claim lapses and the event is sent again with the same id.
 */
export function sendWebhook(
  context: SendContext,
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
  context: SendContext,
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
  { db, log, monotonicMs }: SendContext,
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
