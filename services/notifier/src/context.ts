import { Breaker } from '@fiado/chassis/clients/breaker';
import { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Logger } from '@fiado/chassis/logger';
import { Loop } from '@fiado/chassis/loop';
import { createSealer, type Sealer } from '@fiado/chassis/keys/sealing';
import type { Foundation } from '@fiado/chassis/service';
import { paymentPlaces } from '@fiado/chassis/setting-rules';
import { printPhone } from '@fiado/contracts/phone';
import type { NotifierConfig } from './config';
import type { NewMessage } from './messages/claim-messages.sql';
import type { MessageBudgets } from './messages/message-budgets.sql';
import { createConsoleSms, SmsCalls, type SmsProvider } from './messages/sms-provider';
import type { SmsLender } from './messages/templates.rules';
import {
  createTwilioSignatureCheck,
  createTwilioSms,
  type SignatureCheck,
  type TwilioOptions,
} from './messages/twilio';
import { createAddressGuard, type AddressGuard } from './webhooks/address-guard';
import { resolveHost, type ResolveHost } from './webhooks/check-webhook-url';
import type { Lane as WebhookLane } from './webhooks/delivery.rules';
import { createWebhookClient, type WebhookClient } from './webhooks/webhook-client';
import type { Database } from '@fiado/chassis/db/database';
import { Lane } from '@fiado/chassis/lanes/lane';
import { type FinishedAttempt, storeAttempts } from './messages/messages.sql';

/** What is written together: one statement for all that waits. */
export interface MessageLanes {
  /** Stores the messages of jobs. */
  newMessages: Lane<NewMessage, void>;
  /** Stores the outcomes of calls. */
  outcomes: Lane<FinishedAttempt, void>;
}

interface MessageLaneOptions {
  store: (messages: NewMessage[]) => Promise<void>;
  /** Whether phone and values are deleted from a final message. */
  wipe: boolean;
}

function createMessageLanes(db: Database, { store, wipe }: MessageLaneOptions): MessageLanes {
  return {
    newMessages: new Lane({
      name: 'insert-messages',
      run: async (messages) => {
        await store(messages);
        return messages.map(() => undefined);
      },
      tenantOf: ({ job }) => job.wholesalerId ?? '',
    }),
    outcomes: new Lane({
      name: 'store-attempts',
      run: async (attempts) => {
        await storeAttempts(db, attempts, wipe);
        return attempts.map(() => undefined);
      },
      // A call has its place in the sender already.
      tenantOf: ({ claimed }) => claimed.id,
    }),
  };
}

/** What the use cases of this service work with. */
export interface Context extends Foundation<NotifierConfig> {
  sealer: Sealer;
  /** Named in every SMS. */
  lender: SmsLender;
  /** Counts SMS to numbers that no code has proved. */
  accounts: InternalClient;
  /** The services that write jobs: each has an outbox that the notifier may not read. */
  senders: InternalClient[];
  sms: SmsProvider;
  /**
   * While it is open, messages wait: a message sent in vain would be unknown and never sent again.
   */
  smsBreaker: Breaker;
  /** Absent where Twilio has no address to report to. */
  isFromTwilio: SignatureCheck | undefined;
  /** Calling codes that messages may go to. */
  countries: string[];
  smsBudgets: MessageBudgets;
  /** Of attempts at messages: all fields are known, so the search for secrets is skipped. */
  attemptLog: Logger;
  /** Whether a final message stays readable for ops: in the sandbox only. */
  keepsBodies: boolean;
  lanes: MessageLanes;
  calls: SmsCalls;
  /** Wake it when a message to a number that no code has proved was inserted. */
  releaser: Loop;
  /** Wake it when a pending message was inserted; its poll would find the row later. */
  sender: Loop;
  /** Whether endpoints may have http URLs and IP addresses. */
  isSandbox: boolean;
  resolveHost: ResolveHost;
  mayReach: AddressGuard;
  webhooks: WebhookClient;
  /** Attempts at webhooks that are under way. */
  attempts: Set<Promise<unknown>>;
  /** How many of them hold a place of their lane. */
  placesTaken: Record<WebhookLane, number>;
  /** Wake it when a delivery is due at once; its poll would find the row later. */
  webhookSender: Loop;
  /** Monotonic clock, in milliseconds. */
  monotonicMs: () => number;
}

/** Part of a phone's budget that one wholesaler may use up: the rest is left for the others. */
const WHOLESALER_SHARE = 0.75;
/**
 * Each call in vain costs an SMS, which becomes unknown and is not sent again. So few failures in a row open the
 * breaker, and the trials of a long outage become rare. The window is longer than the 10 s that one call may take.
 */
const SMS_BREAKER = { windowMs: 30_000, failuresInARow: 5, longestPauseMs: 60_000 };
/** How often messages that wait for a budget are looked at again: a code is useful for ten minutes. */
const RELEASE_EVERY_MS = 5_000;
/** The names of the loops that use cases wake. */
export const MESSAGE_SENDER = 'message sender';
export const WEBHOOK_SENDER = 'webhook sender';

/** What lanes and loops run. A round of a loop returns whether another one follows at once. */
export interface Rounds {
  storeMessages: (context: Context, messages: NewMessage[]) => Promise<void>;
  releaseMessages: (context: Context) => Promise<void>;
  sendMessages: (context: Context) => Promise<boolean>;
  sendWebhooks: (context: Context) => Promise<boolean>;
}

/** @param rounds use cases: they import the context, so it is given them */
export function createContext(foundation: Foundation<NotifierConfig>, rounds: Rounds): Context {
  const { config, db, tokens, timing, log } = foundation;
  const keepsBodies = config.FIADO_MODE === 'sandbox';
  const twilio = config.SMS_PROVIDER === 'twilio' ? twilioOptionsOf(config) : undefined;
  const sms = twilio === undefined ? createConsoleSms() : createTwilioSms(twilio);
  const clientOf = (upstream: 'accounts' | 'transactions' | 'payments', baseUrl: string) =>
    new InternalClient({ upstream, baseUrl, tokens });
  const accounts = clientOf('accounts', config.ACCOUNTS_URL);
  const context: Context = {
    ...foundation,
    sealer: createSealer(foundation.dataKeys.keys),
    lender: {
      name: config.LENDER_NAME,
      phone: printPhone(config.SUPPORT_PHONE, config.PHONE_REGION),
      places: paymentPlaces(config).map(({ name }) => name),
      accountPage: accountPageAt(config.PUBLIC_URL),
    },
    accounts,
    senders: [
      accounts,
      clientOf('transactions', config.TRANSACTIONS_URL),
      clientOf('payments', config.PAYMENTS_URL),
    ],
    sms,
    smsBreaker: new Breaker({ upstream: sms.name, use: 'send', ...SMS_BREAKER }),
    isFromTwilio: twilio && signatureCheckOf(config, twilio),
    countries: config.SMS_COUNTRIES.split(','),
    smsBudgets: smsBudgetsOf(config),
    attemptLog: log.child({}, { redact: [] }),
    keepsBodies,
    lanes: createMessageLanes(db, {
      store: (messages) => rounds.storeMessages(context, messages),
      wipe: !keepsBodies,
    }),
    calls: new SmsCalls(),
    monotonicMs: () => performance.now(),
    ...webhookPartsOf(config),
    releaser: new Loop(log, {
      name: 'message releaser',
      everyMs: RELEASE_EVERY_MS,
      round: () => rounds.releaseMessages(context),
    }),
    sender: new Loop(log, {
      name: MESSAGE_SENDER,
      everyMs: timing.sendMessages,
      round: () => rounds.sendMessages(context),
    }),
    webhookSender: new Loop(log, {
      name: WEBHOOK_SENDER,
      everyMs: timing.sendWebhooks,
      round: () => rounds.sendWebhooks(context),
    }),
  };
  return context;
}

/** Undefined where Twilio has no address to report to. */
function signatureCheckOf(
  { TWILIO_AUTH_TOKEN_PREVIOUS: previous }: NotifierConfig,
  { authToken, callbackBaseUrl }: TwilioOptions,
): SignatureCheck | undefined {
  if (callbackBaseUrl === undefined) return undefined;
  const tokens = previous === undefined ? [authToken] : [authToken, previous];
  return createTwilioSignatureCheck(tokens, callbackBaseUrl);
}

/** Loopback: the receivers of a sandbox run on the same machine. */
const SANDBOX_NETWORKS = ['127.0.0.0/8', '::1/128'];

function webhookPartsOf(
  config: NotifierConfig,
): Pick<
  Context,
  'isSandbox' | 'resolveHost' | 'mayReach' | 'webhooks' | 'attempts' | 'placesTaken'
> {
  const isSandbox = config.FIADO_MODE === 'sandbox';
  const mayReach = createAddressGuard([
    ...(config.WEBHOOK_ALLOWED_NETWORKS?.split(',') ?? []),
    ...(isSandbox ? SANDBOX_NETWORKS : []),
  ]);
  const proxyUrl = config.WEBHOOK_PROXY_URL;
  const webhooks = createWebhookClient({ isAllowed: mayReach, resolve: resolveHost, proxyUrl });
  return {
    isSandbox,
    resolveHost,
    mayReach,
    webhooks,
    attempts: new Set(),
    placesTaken: { good: 0, new: 0, slow: 0 },
  };
}

function smsBudgetsOf(config: NotifierConfig): MessageBudgets {
  const perPhone = config.SMS_PER_PHONE_PER_DAY;
  return {
    perPhone,
    perPhoneAndWholesaler:
      config.SMS_PER_PHONE_AND_WHOLESALER_PER_DAY ??
      Math.max(Math.floor(perPhone * WHOLESALER_SHARE), 1),
    perWholesaler: config.SMS_PER_WHOLESALER_PER_MINUTE,
  };
}

function twilioOptionsOf(config: NotifierConfig): TwilioOptions {
  return {
    // Required by the configuration class when the provider is twilio.
    accountSid: config.TWILIO_ACCOUNT_SID as string,
    authToken: config.TWILIO_AUTH_TOKEN as string,
    sender:
      config.TWILIO_MESSAGING_SERVICE_SID === undefined
        ? { from: config.TWILIO_FROM as string }
        : { messagingServiceSid: config.TWILIO_MESSAGING_SERVICE_SID },
    apiBaseUrl: config.TWILIO_API_BASE_URL,
    // Twilio signs its callbacks over the URL, which means nothing without https.
    callbackBaseUrl: config.PUBLIC_URL?.startsWith('https:') ? config.PUBLIC_URL : undefined,
  };
}

/** The address of the page "Mi cuenta" as a text has it: without the scheme, which phones do not need. */
function accountPageAt(publicUrl: string | undefined): string | undefined {
  if (publicUrl?.startsWith('https://') !== true) return undefined;
  return `${publicUrl.slice('https://'.length).replace(/\/+$/, '')}/mi`;
}
