import { setTimeout as sleep } from 'node:timers/promises';
import { Breaker } from '@fiado/chassis/clients/breaker';
import type { Database } from '@fiado/chassis/db/database';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { Lane } from '@fiado/chassis/lanes/lane';
import type { Logger } from '@fiado/chassis/logger';
import { guardRow, Loop } from '@fiado/chassis/loop';
import { withRequestId } from '@fiado/chassis/request-context';
import type { Timing } from '@fiado/chassis/timing';
import { inSpan } from '@fiado/chassis/tracing/tracer';
import { AppError } from '@fiado/contracts/errors';
import { isAllowedCountry } from '@fiado/contracts/phone';
import type { NotifierConfig } from '../config';
import { countSms } from '../metrics';
import { storeOutcome } from '../store-outcome';
import {
  CLAIM_SECONDS,
  claimMessages,
  insertMessages,
  type ClaimedMessage,
  type NewMessage,
} from './claim-messages.sql';
import { giveBackLostClaims } from './give-back-lost-claims';
import type { MessageBudgets } from './message-budgets.sql';
import { storeAttempts, type FinishedAttempt } from './messages.sql';
import {
  failureClassOf,
  outcomeOf,
  sandboxOutcomeOf,
  showsProviderWorks,
  whatsappSeconds,
} from './outcome.rules';
import { readSealedSms } from './sealed-sms';
import { SmsCalls, SmsError, type OutgoingSms, type SmsProvider } from './sms-provider';
import type { SmsLender } from './templates.rules';

const LOOP = 'message sender';
/**
 * After a suspension this long since the claim, another process may have settled the message. This
 * process has not called the provider yet, so the message becomes pending and is claimed again.
 */
const MAX_PAUSE_MS = 3_000;
/** Pause of a message that was claimed just before the breaker opened: it was not sent. */
const PROVIDER_AWAY_MS = 1_000;
/** Pause of a message whose key this process has not read yet: it reads the keys every 5 s. */
const KEY_MISSING_MS = 5_000;
/** Pause when another process had locked all due messages: a claim takes a few milliseconds. */
const LOCKED_PAUSE_MS = 20;
/**
 * Each failed call costs an SMS, which becomes unknown and is not sent again. So a few failures in a row open the
 * breaker, and trial calls become rare in a long outage. The window is longer than the 10 s that one call may take.
 */
const BREAKER = { windowMs: 30_000, failuresInARow: 5, longestPauseMs: 60_000 };

/** The parts that the sender works with. */
interface SenderParts {
  db: Database;
  log: Logger;
  timing: Timing;
  config: NotifierConfig;
  sealer: Sealer;
  /** Named in every SMS. */
  lender: SmsLender;
  /** Calling codes that messages may go to. */
  countries: string[];
  smsBudgets: MessageBudgets;
  /** The template at the provider of each message that goes by WhatsApp first. */
  whatsappSids: ReadonlyMap<string, string>;
  /** Whether a final message stays readable for ops: in the sandbox only. */
  keepsBodies: boolean;
  /** Monotonic clock, in milliseconds. */
  monotonicMs: () => number;
}

/** Claims messages, calls the provider for each, and stores the outcome. */
export class MessageSender {
  /** Claims due messages. While it is stopped, jobs only store their messages. */
  readonly loop: Loop;
  /** While it is open, messages wait: a message sent in vain would be unknown and never sent again. */
  readonly breaker: Breaker;
  /** Of WhatsApp: while it is open, its messages end, and their SMS follow. */
  private readonly whatsappBreaker: Breaker;
  readonly calls = new SmsCalls();
  /** Stores the messages of jobs. All waiting messages are one statement. */
  readonly newMessages: Lane<NewMessage, void>;
  /** Stores the outcomes of calls. All waiting outcomes are one statement. */
  readonly outcomes: Lane<FinishedAttempt, void>;
  /** All fields are known, so the search for secrets is skipped. */
  private readonly attemptLog: Logger;

  /** @param listeners are called when a message to a number that no code has proved was stored, and a WhatsApp has failed */
  constructor(
    private readonly parts: SenderParts,
    public provider: SmsProvider,
    private readonly listeners: { onUnproven: () => void; onWhatsappFailed: () => void },
  ) {
    const { log, timing, db, keepsBodies } = parts;
    this.attemptLog = log.child({}, { redact: [] });
    this.breaker = new Breaker({ upstream: provider.name, use: 'send', ...BREAKER });
    this.whatsappBreaker = new Breaker({ upstream: provider.name, use: 'whatsapp', ...BREAKER });
    this.loop = new Loop(log, {
      name: LOOP,
      everyMs: timing.sendMessages,
      round: () => this.sendDue(),
    });
    this.newMessages = new Lane({
      name: 'insert-messages',
      run: async (messages) => {
        await this.store(messages);
        return messages.map(() => undefined);
      },
      tenantOf: ({ job }) => job.wholesalerId ?? '',
    });
    this.outcomes = new Lane({
      name: 'store-attempts',
      run: async (attempts) => {
        await storeAttempts(db, attempts, !keepsBodies);
        return attempts.map(() => undefined);
      },
      // The calls took turns when they were claimed, so outcomes need none.
      tenantOf: ({ claimed }) => claimed.id,
    });
  }

  /** Call it when a pending message was inserted; the poll would find the row later. */
  wake(): void {
    this.loop.wake();
  }

  /**
   * One round: claims what is due and starts to send it, without waiting for the provider.
   * @returns whether there may be more to send
   */
  async sendDue(): Promise<boolean> {
    const { breaker, calls } = this;
    await giveBackLostClaims(this.parts, calls.lostClaims);
    if (breaker.isOpen) return false;
    if (calls.free === 0) {
      calls.messagesWait = true;
      await calls.placeFreed();
      return true;
    }
    // One message is enough to test whether the provider works again.
    const limit = breaker.isClosed ? calls.free : 1;
    const { decided, more } = await this.claimDue(limit);
    calls.messagesWait = more;
    if (!breaker.isClosed) await calls.allEnded();
    if (more && !decided) await sleep(LOCKED_PAUSE_MS);
    return more;
  }

  /**
   * Claims due messages for this process, within the budgets against SMS pumping: over a budget of its phone a
   * message fails, over its wholesaler's cap it waits for the next minute.
   * @returns whether any message was decided, and whether more are due
   */
  private claimDue(limit: number): Promise<{ decided: boolean; more: boolean }> {
    const { db, smsBudgets, keepsBodies, log, monotonicMs } = this.parts;
    const startedMs = monotonicMs();
    return this.calls.claim(limit, async (claimId) => {
      const claim = { claimId, provider: this.provider.name, limit, ...smsBudgets };
      const { claimed, refused, more } = await claimMessages(db, { ...claim, wipe: !keepsBodies });
      for (const { id, template, refusal } of refused) {
        countSms({ template, outcome: refusal });
        log.warn(
          { messageId: id, reason: refusal },
          'message exceeds a budget of its phone number',
        );
      }
      // Logged once, after the wait; the gauges show the messages that wait now.
      for (const { id, template } of claimed.filter(({ waitedBehindCap }) => waitedBehindCap)) {
        countSms({ template, outcome: 'wholesaler-cap' });
        const reason = 'wholesaler-cap';
        log.warn({ messageId: id, reason }, "message waited for its wholesaler's limit");
      }
      this.start(claimed, startedMs);
      return { decided: claimed.length + refused.length > 0, more };
    });
  }

  /**
   * Stores the messages of jobs, and sends those that it claimed at once; the loop takes the others.
   * @throws the error of the statement. Then nothing is stored. If the answer was lost, that is unknown, and the
   *   next round gives back what the statement claimed.
   */
  private async store(messages: NewMessage[]): Promise<void> {
    const { calls } = this;
    const { db, smsBudgets, monotonicMs } = this.parts;
    const mayClaim = this.loop.isRunning && this.breaker.isClosed && !calls.messagesWait;
    const limit = mayClaim ? Math.min(calls.free, messages.length) : 0;
    const startedMs = monotonicMs();
    const claimed = await calls.claim(limit, async (claimId) => {
      const claim = { claimId, provider: this.provider.name, limit, ...smsBudgets };
      const toSend = await insertMessages(db, messages, claim);
      this.start(toSend, startedMs);
      return toSend;
    });
    if (claimed.length < messages.length) this.wake();
    if (messages.some(({ job }) => job.unprovenBy !== undefined)) this.listeners.onUnproven();
  }

  /**
   * Sends claimed messages. Errors are logged; their claims then expire, and they become unknown.
   * @param startedMs monotonic time just before the claim
   */
  private start(messages: ClaimedMessage[], startedMs: number): void {
    const { log } = this.parts;
    for (const claimed of messages) {
      const { id: messageId, requestId, traceparent: parent, attempt } = claimed;
      const attributes = { 'fiado.message.id': messageId, 'fiado.attempt': attempt };
      const span = { kind: 'internal' as const, parent, startedMs, attributes };
      // A later attempt still belongs to the request that caused the message.
      const transmitted = guardRow(LOOP, { log, messageId }, () =>
        withRequestId(requestId ?? messageId, () =>
          inSpan('send claimed message', span, () => this.transmit(claimed, startedMs)),
        ),
      );
      const call = transmitted.catch((error: unknown) =>
        log.error({ err: error, messageId }, 'message outcome not stored'),
      );
      this.calls.add(call);
    }
  }

  /** Calls the provider for a message that is already committed as sending, and stores the outcome. */
  private async transmit(claimed: ClaimedMessage, startedMs: number): Promise<void> {
    const attempt = await this.attempt(claimed, startedMs);
    const messageId = claimed.id;
    await storeOutcome(() => this.outcomes.add({ claimed, ...attempt }), this.parts, {
      messageId,
      endsMs: startedMs + CLAIM_SECONDS * 1_000,
    });

    const { status } = attempt.outcome;
    const reason = 'reason' in attempt.outcome ? attempt.outcome.reason : undefined;
    const { template, channel } = claimed;
    countSms({ template, channel, outcome: status, reason });
    if (channel === 'whatsapp' && status === 'failed') this.listeners.onWhatsappFailed();
    // A failure of our account affects everyone until somebody acts.
    const wakes = reason !== undefined && failureClassOf(reason) === 'account';
    this.attemptLog[status === 'sent' ? 'info' : wakes ? 'error' : 'warn'](
      { messageId, attempt: claimed.attempt, status, reason },
      'a message was attempted',
    );
  }

  private async attempt(
    claimed: ClaimedMessage,
    startedMs: number,
  ): Promise<Omit<FinishedAttempt, 'claimed'>> {
    const { countries, config, monotonicMs } = this.parts;
    const pending = (reason: string, retryInMs: number) => ({
      outcome: { status: 'pending', reason, retryInMs } as const,
    });
    const failed = (reason: string) => ({ outcome: { status: 'failed', reason } as const });
    const sms = readUnlessKeyIsMissing(this.parts, claimed);
    if (sms === 'key-missing') return pending('KEY_MISSING', KEY_MISSING_MS);
    if (sms === undefined) return failed('ENVELOPE_UNREADABLE');
    if (!isAllowedCountry(sms.to, countries)) return failed('country-not-allowed');
    if (monotonicMs() - startedMs > MAX_PAUSE_MS) return pending('PROCESS_PAUSED', 0);

    const { id: messageId, validSeconds, attempt } = claimed;
    const { to, text, variables } = sms;
    const unreported = variables !== undefined && { isUnreported: true as const };
    const sandboxOutcome = sandboxOutcomeOf(config.FIADO_MODE, { to, messageId, attempt });
    if (sandboxOutcome !== undefined) {
      return {
        outcome: { ...sandboxOutcome, ...(sandboxOutcome.status === 'sent' && unreported) },
      };
    }
    const contentSid = this.parts.whatsappSids.get(claimed.template);
    // The template was taken from the settings.
    if (variables !== undefined && contentSid === undefined) return failed('WHATSAPP_OFF');
    const whatsapp = variables && contentSid !== undefined ? { contentSid, variables } : undefined;
    const answer = await this.call({
      messageId,
      to,
      text,
      ...(whatsapp === undefined
        ? { validSeconds }
        : { whatsapp, validSeconds: whatsappSeconds(validSeconds) }),
    });
    if (answer === 'not-called') {
      return whatsapp === undefined
        ? pending('PROVIDER_AWAY', PROVIDER_AWAY_MS)
        : failed('PROVIDER_AWAY');
    }
    if ('sid' in answer) {
      const { sid } = answer;
      return {
        outcome: { status: 'sent', sid, ...(this.provider.reports !== true && unreported) },
      };
    }
    const { failure } = answer;
    return { outcome: outcomeOf(failure, attempt, Math.random()), failure };
  }

  /** Hands an SMS over, unless the provider has not answered for a while. */
  private async call(outgoing: OutgoingSms): Promise<{ sid: string } | SmsError | 'not-called'> {
    const { provider } = this;
    const breaker = outgoing.whatsapp === undefined ? this.breaker : this.whatsappBreaker;
    const attributes = { 'peer.service': provider.name };
    try {
      return await breaker.run(() =>
        inSpan(`call ${provider.name}`, { kind: 'client', attributes }, () =>
          provider.send(outgoing),
        ).catch((error: unknown) => {
          if (error instanceof SmsError && showsProviderWorks(error.failure)) return error;
          throw error;
        }),
      );
    } catch (error) {
      if (error instanceof SmsError) return error;
      if (error instanceof AppError) return 'not-called';
      throw error;
    }
  }
}

/** A message without its key is kept: one that failed would never be sent. */
function readUnlessKeyIsMissing(parts: SenderParts, claimed: ClaimedMessage) {
  try {
    return readSealedSms(parts, claimed);
  } catch {
    return 'key-missing';
  }
}
