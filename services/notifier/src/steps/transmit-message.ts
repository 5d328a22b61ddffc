import { setTimeout as sleep } from 'node:timers/promises';
import { withRequestId } from '@fiado/chassis/request-context';
import { inSpan } from '@fiado/chassis/tracing/tracer';
import { AppError } from '@fiado/contracts/errors';
import { SmsError, type OutgoingSms } from '../clients/sms/sms-provider';
import type { Context } from '../context';
import { CLAIM_SECONDS, type ClaimedMessage } from '../db/claim-messages';
import type { FinishedAttempt } from '../db/store-attempts';
import { isAllowedCountry } from '../domain/country';
import { failureClassOf } from '../domain/failure-class';
import { isDecision, outcomeOf, type Outcome, type SmsFailure } from '../domain/outcome';
import { sandboxOutcomeOf } from '../domain/sandbox-outcome';
import { countSms } from '../metrics';
import { readSealedSms } from './read-sealed-sms';

/**
 * After a suspension this long since the claim, another process may have settled the message. This
 * process has not called the provider yet, so the message becomes pending and is claimed again.
 */
const MAX_PAUSE_MS = 3_000;

/** Pause of a message that was claimed just before the breaker opened: it was not sent. */
const PROVIDER_AWAY_MS = 1_000;
/** Pause of a message whose key this process has not read yet: it reads the keys every 5 s. */
const KEY_MISSING_MS = 5_000;
/** Pause before the next attempt to store an outcome. */
const STORE_AGAIN_MS = 1_000;

/** What a call needs. */
type CallContext = Pick<
  Context,
  | 'config'
  | 'sealer'
  | 'lender'
  | 'sms'
  | 'smsBreaker'
  | 'countries'
  | 'outcomes'
  | 'monotonicMs'
  | 'log'
>;

interface Attempt {
  outcome: Outcome;
  failure?: SmsFailure;
}

/**
 * Calls the provider for a message that is already committed as sending, and stores the outcome.
 * @param startedMs monotonic time just before the claim
 */
export function transmitMessage(
  context: CallContext,
  claimed: ClaimedMessage,
  startedMs: number,
): Promise<void> {
  const { id, requestId, traceparent, attempt } = claimed;
  const attributes = { 'fiado.message.id': id, 'fiado.attempt': attempt };
  const span = { kind: 'internal' as const, parent: traceparent, startedMs, attributes };
  // A later attempt still belongs to the request that caused the message.
  return withRequestId(requestId ?? id, () =>
    inSpan('send claimed message', span, () => transmit(context, claimed, startedMs)),
  );
}

async function transmit(
  context: CallContext,
  claimed: ClaimedMessage,
  startedMs: number,
): Promise<void> {
  const attempt = await callProvider(context, claimed, startedMs);
  await storeOutcome(context, { claimed, ...attempt }, startedMs);

  const { status } = attempt.outcome;
  const reason = 'reason' in attempt.outcome ? attempt.outcome.reason : undefined;
  countSms({ template: claimed.template, outcome: status, reason });
  // A failure of our account affects everyone until somebody acts.
  const wakes = status === 'failed' && failureClassOf(attempt.outcome.reason) === 'account';
  context.log[status === 'sent' ? 'info' : wakes ? 'error' : 'warn'](
    { messageId: claimed.id, attempt: claimed.attempt, status, reason },
    'a message was attempted',
  );
}

/**
 * Stores the outcome of a message, repeatedly while the database is unavailable: nobody else
 * decides on the message before its claim ends.
 * @throws Error of the last attempt
 */
async function storeOutcome(
  { outcomes, log, monotonicMs }: CallContext,
  finished: FinishedAttempt,
  startedMs: number,
): Promise<void> {
  for (;;) {
    try {
      return await outcomes.add(finished);
    } catch (error) {
      if (monotonicMs() - startedMs > CLAIM_SECONDS * 1_000 - STORE_AGAIN_MS) throw error;
      const messageId = finished.claimed.id;
      log.warn({ err: error, messageId }, 'message outcome could not be stored; retrying');
      await sleep(STORE_AGAIN_MS);
    }
  }
}

async function callProvider(
  context: CallContext,
  claimed: ClaimedMessage,
  startedMs: number,
): Promise<Attempt> {
  const sms = readUnlessKeyIsMissing(context, claimed);
  if (sms === 'key-missing') {
    const reason = 'KEY_MISSING';
    return { outcome: { status: 'pending', reason, retryInMs: KEY_MISSING_MS } };
  }
  if (sms === undefined) return { outcome: { status: 'failed', reason: 'ENVELOPE_UNREADABLE' } };
  if (!isAllowedCountry(sms.to, context.countries)) {
    return { outcome: { status: 'failed', reason: 'country-not-allowed' } };
  }
  if (context.monotonicMs() - startedMs > MAX_PAUSE_MS) {
    return { outcome: { status: 'pending', reason: 'PROCESS_PAUSED', retryInMs: 0 } };
  }

  const { id: messageId, validSeconds, attempt } = claimed;
  const mode = context.config.FIADO_MODE;
  const sandboxOutcome = sandboxOutcomeOf(mode, { to: sms.to, messageId, attempt });
  if (sandboxOutcome !== undefined) return { outcome: sandboxOutcome };

  const answer = await send(context, { messageId, ...sms, validSeconds });
  if (answer === 'not-called') {
    const reason = 'PROVIDER_AWAY';
    return { outcome: { status: 'pending', reason, retryInMs: PROVIDER_AWAY_MS } };
  }
  if ('sid' in answer) return { outcome: { status: 'sent', sid: answer.sid } };
  const { failure } = answer;
  return { outcome: outcomeOf(failure, claimed.attempt, Math.random()), failure };
}

/** A message without its key is kept: one that failed would never be sent. */
function readUnlessKeyIsMissing(context: CallContext, claimed: ClaimedMessage) {
  try {
    return readSealedSms(context, claimed);
  } catch {
    return 'key-missing';
  }
}

/** Hands an SMS over, unless the provider has not answered for a while. */
async function send(
  { sms, smsBreaker }: CallContext,
  outgoing: OutgoingSms,
): Promise<{ sid: string } | { failure: SmsFailure } | 'not-called'> {
  try {
    return await smsBreaker.run(() =>
      inSpan(`call ${sms.name}`, { kind: 'client', attributes: { 'peer.service': sms.name } }, () =>
        sms.send(outgoing),
      ).catch((error: unknown) => {
        if (error instanceof SmsError && isDecision(error.failure)) return error;
        throw error;
      }),
    );
  } catch (error) {
    if (error instanceof SmsError) return error;
    if (error instanceof AppError) return 'not-called';
    throw error;
  }
}
