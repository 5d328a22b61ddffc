import { setTimeout as sleep } from 'node:timers/promises';
import { guardRow } from '@fiado/chassis/loop';
import { withRequestId } from '@fiado/chassis/request-context';
import { inSpan } from '@fiado/chassis/tracing/tracer';
import { AppError } from '@fiado/contracts/errors';
import { MESSAGE_SENDER, type Context } from '../context';
import { countSms } from '../metrics';
import {
  CLAIM_SECONDS,
  claimMessages,
  insertMessages,
  type ClaimedMessage,
  type ClaimMessages,
  type NewMessage,
} from './claim-messages.sql';
import type { FinishedAttempt } from './messages.sql';
import { isAllowedCountry } from '@fiado/contracts/phone';
import {
  failureClassOf,
  isDecision,
  outcomeOf,
  sandboxOutcomeOf,
  type Outcome,
  type SmsFailure,
} from './outcome.rules';
import { giveBackLostClaims } from './give-back-lost-claims';
import { readSealedSms } from './sealed-sms';
import { SmsError, type OutgoingSms } from './sms-provider';

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
/** Pause when another process's claim had locked all that was due: a claim takes a few milliseconds. */
const LOCKED_PAUSE_MS = 20;

/**
 * One round of the message sender: claims what is due and starts to send it, without waiting for
 * the provider.
 * @returns whether there may be more to send
 */
export async function sendDueMessages(context: Context): Promise<boolean> {
  const { smsBreaker, calls } = context;
  await giveBackLostClaims(context);
  if (smsBreaker.isOpen) return false;
  if (calls.free === 0) {
    calls.areAwaited = true;
    await calls.placeFreed();
    return true;
  }
  // One message is enough to test whether the provider works again.
  const limit = smsBreaker.isClosed ? calls.free : 1;
  const startedMs = context.monotonicMs();
  const { decided, more } = await calls.claim(limit, async (claimId) => {
    const claim = await claimWithinBudgets(context, { claimId, limit });
    startCalls(context, claim.claimed, startedMs);
    return claim;
  });
  calls.areAwaited = more;
  if (!smsBreaker.isClosed) await calls.allEnded();
  if (more && !decided) await sleep(LOCKED_PAUSE_MS);
  return more;
}

/**
 * Stores the messages of jobs, and sends those that it claimed at once; the sender takes the others.
 * @throws what the statement fails with. Then nothing is stored; or nobody knows, where its answer was lost, and
 *   the sender gives back what it claimed.
 */
export async function storeNewMessages(context: Context, messages: NewMessage[]): Promise<void> {
  const { db, sms, smsBreaker, calls, releaser, sender, smsBudgets } = context;
  const mayClaim = sender.isRunning && smsBreaker.isClosed && !calls.areAwaited;
  const limit = mayClaim ? Math.min(calls.free, messages.length) : 0;
  const startedMs = context.monotonicMs();
  const claimed = await calls.claim(limit, async (claimId) => {
    const claim = { claimId, provider: sms.name, limit, ...smsBudgets };
    const messagesToSend = await insertMessages(db, messages, claim);
    startCalls(context, messagesToSend, startedMs);
    return messagesToSend;
  });
  if (claimed.length < messages.length) sender.wake();
  if (messages.some(({ job }) => job.unprovenBy !== undefined)) releaser.wake();
}

/** Sends claimed messages. Errors are logged; their claims then expire, and they become unknown. */
function startCalls(context: Context, messages: ClaimedMessage[], startedMs: number): void {
  const { log, calls } = context;
  for (const message of messages) {
    const messageId = message.id;
    const call = guardRow(MESSAGE_SENDER, { log, messageId }, () =>
      transmitMessage(context, message, startedMs),
    ).catch((error: unknown) => log.error({ err: error, messageId }, 'message outcome not stored'));
    calls.add(call);
  }
}

/**
 * Claims due messages for this process, within the budgets against SMS pumping: over a budget of
 * its phone a message fails, over its wholesaler's cap it waits for the next minute.
 * @returns the claimed messages, whether any message was decided, and whether more are due
 */
async function claimWithinBudgets(
  { db, smsBudgets, sms, keepsBodies, log }: Context,
  claim: Pick<ClaimMessages, 'claimId' | 'limit'>,
): Promise<{ claimed: ClaimedMessage[]; decided: boolean; more: boolean }> {
  const { claimed, refused, more } = await claimMessages(db, {
    ...claim,
    provider: sms.name,
    ...smsBudgets,
    wipe: !keepsBodies,
  });
  for (const { id, template, refusal } of refused) {
    countSms({ template, outcome: refusal });
    log.warn({ messageId: id, reason: refusal }, 'message exceeds a budget of its phone number');
  }
  // Logged once, after the wait; the gauges show the messages that wait now.
  for (const { id, template } of claimed.filter(({ waitedBehindCap }) => waitedBehindCap)) {
    countSms({ template, outcome: 'wholesaler-cap' });
    log.warn(
      { messageId: id, reason: 'wholesaler-cap' },
      "message waited for its wholesaler's limit",
    );
  }
  return { claimed, decided: claimed.length + refused.length > 0, more };
}

interface Attempt {
  outcome: Outcome;
  failure?: SmsFailure;
}

/**
 * Calls the provider for a message that is already committed as sending, and stores the outcome.
 * @param startedMs monotonic time just before the claim
 */
function transmitMessage(
  context: Context,
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
  context: Context,
  claimed: ClaimedMessage,
  startedMs: number,
): Promise<void> {
  const attempt = await callProvider(context, claimed, startedMs);
  await storeOutcome(context, { claimed, ...attempt }, startedMs);

  const { status } = attempt.outcome;
  const reason = 'reason' in attempt.outcome ? attempt.outcome.reason : undefined;
  countSms({ template: claimed.template, outcome: status, reason });
  // A failure of our account affects everyone until somebody acts.
  const wakes = reason !== undefined && failureClassOf(reason) === 'account';
  context.attemptLog[status === 'sent' ? 'info' : wakes ? 'error' : 'warn'](
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
  { lanes, log, monotonicMs }: Context,
  finished: FinishedAttempt,
  startedMs: number,
): Promise<void> {
  for (;;) {
    try {
      return await lanes.outcomes.add(finished);
    } catch (error) {
      if (monotonicMs() - startedMs > CLAIM_SECONDS * 1_000 - STORE_AGAIN_MS) throw error;
      const messageId = finished.claimed.id;
      log.warn({ err: error, messageId }, 'message outcome could not be stored; retrying');
      await sleep(STORE_AGAIN_MS);
    }
  }
}

async function callProvider(
  context: Context,
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
function readUnlessKeyIsMissing(context: Context, claimed: ClaimedMessage) {
  try {
    return readSealedSms(context, claimed);
  } catch {
    return 'key-missing';
  }
}

/** Hands an SMS over, unless the provider has not answered for a while. */
async function send(
  { sms, smsBreaker }: Context,
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
