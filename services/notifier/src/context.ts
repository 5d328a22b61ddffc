import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { Lane } from '@fiado/chassis/lanes/lane';
import { Loop } from '@fiado/chassis/loop';
import { createSealer, type Sealer } from '@fiado/chassis/keys/sealing';
import type { Foundation } from '@fiado/chassis/service';
import { paymentPlaces } from '@fiado/chassis/setting-rules';
import { printPhone } from '@fiado/contracts/numbering-plan';
import type { NotifierConfig } from './config';
import type { MessageBudgets } from './messages/message-budgets.sql';
import { insertEvents, type NewEvent } from './events/insert-events.sql';
import { MessageSender } from './messages/message-sender';
import { followBySms } from './messages/follow-by-sms';
import { releaseMessagesToUnknown } from './messages/release-messages';
import { createConsoleSms } from './messages/sms-provider';
import type { SmsLender } from './messages/templates.rules';
import {
  createTwilioSignatureCheck,
  createTwilioSms,
  type SignatureCheck,
  type TwilioOptions,
} from './messages/twilio';
import { createAddressGuard, type AddressGuard } from './webhooks/address-guard';
import { resolveHost, type ResolveHost } from './webhooks/check-webhook-url';
import { createWebhookClient } from './webhooks/webhook-client';
import { WebhookSender } from './webhooks/webhook-sender';

/** The parts that the use cases of this service work with. */
export interface Context extends Foundation<NotifierConfig> {
  sealer: Sealer;
  /** Named in every SMS. */
  lender: SmsLender;
  /** Counts SMS to numbers that no code has proved. */
  accounts: InternalClient;
  /** The services that write jobs: each has an outbox that the notifier may not read. */
  senders: InternalClient[];
  sender: MessageSender;
  /** Absent where Twilio has no address to report to. */
  isFromTwilio: SignatureCheck | undefined;
  /** Calling codes that messages may go to. */
  countries: string[];
  smsBudgets: MessageBudgets;
  /** The template at Twilio of each message that goes by WhatsApp first; none where WhatsApp is off. */
  whatsappSids: ReadonlyMap<string, string>;
  /** Whether a final message stays readable for ops: in the sandbox only. */
  keepsBodies: boolean;
  /** Wake it when a message to a number that no code has proved was inserted. */
  releaser: Loop;
  /** Wake it when a WhatsApp message has failed. */
  follower: Loop;
  /** Whether endpoints may have http URLs and IP addresses. */
  isSandbox: boolean;
  resolveHost: ResolveHost;
  mayReach: AddressGuard;
  /** Stores events. All waiting events are one statement. An item is true if there is a delivery to make. */
  newEvents: Lane<NewEvent, boolean>;
  webhookSender: WebhookSender;
  /** Monotonic clock, in milliseconds. */
  monotonicMs: () => number;
}

/** Loopback: the receivers of a sandbox run on the same machine. */
const SANDBOX_NETWORKS = ['127.0.0.0/8', '::1/128'];
/** Part of a phone's budget that one wholesaler may use up: the rest is left for the others. */
const WHOLESALER_SHARE = 0.75;
/** How often messages that wait for a budget are looked at again: a code is useful for ten minutes. */
const RELEASE_EVERY_MS = 5_000;
export function createContext(foundation: Foundation<NotifierConfig>): Context {
  const { config, tokens, log } = foundation;
  const isSandbox = config.FIADO_MODE === 'sandbox';
  const mayReach = createAddressGuard([
    ...(config.WEBHOOK_ALLOWED_NETWORKS?.split(',') ?? []),
    ...(isSandbox ? SANDBOX_NETWORKS : []),
  ]);
  const webhookClient = createWebhookClient({
    isAllowed: mayReach,
    resolve: resolveHost,
    proxyUrl: config.WEBHOOK_PROXY_URL,
  });
  const twilio = config.SMS_PROVIDER === 'twilio' ? twilioOptionsOf(config) : undefined;
  const clientOf = (upstream: 'accounts' | 'transactions' | 'payments', baseUrl: string) =>
    new InternalClient({ upstream, baseUrl, tokens });
  const accounts = clientOf('accounts', config.ACCOUNTS_URL);
  const parts = {
    ...foundation,
    sealer: createSealer(foundation.dataKeys.keys),
    lender: {
      name: config.LENDER_NAME,
      phone: printPhone(config.SUPPORT_PHONE, config.PHONE_REGION),
      places: paymentPlaces(config).map(({ name }) => name),
      accountPage: accountPageAt(config.PUBLIC_URL),
    },
    countries: config.SMS_COUNTRIES.split(','),
    smsBudgets: smsBudgetsOf(config),
    keepsBodies: isSandbox,
    monotonicMs: () => performance.now(),
    whatsappSids: whatsappSidsOf(config),
  };
  const loop = (name: string, everyMs: number, round: (of: Context) => Promise<boolean | void>) =>
    new Loop(log, { name, everyMs, round: () => round(context) });
  const releaser = loop('message releaser', RELEASE_EVERY_MS, releaseMessagesToUnknown);
  const follower = loop('SMS after WhatsApp', foundation.timing.settle, followBySms);
  const context: Context = {
    ...parts,
    accounts,
    senders: [
      accounts,
      clientOf('transactions', config.TRANSACTIONS_URL),
      clientOf('payments', config.PAYMENTS_URL),
    ],
    sender: new MessageSender(
      parts,
      twilio === undefined ? createConsoleSms() : createTwilioSms(twilio),
      { onUnproven: () => releaser.wake(), onWhatsappFailed: () => follower.wake() },
    ),
    releaser,
    follower,
    isFromTwilio: twilio && signatureCheckOf(config, twilio),
    isSandbox,
    resolveHost,
    mayReach,
    newEvents: newEventsIn(foundation),
    webhookSender: new WebhookSender(parts, webhookClient),
  };
  return context;
}

function newEventsIn({ db }: Foundation<NotifierConfig>): Context['newEvents'] {
  return new Lane({
    name: 'insert-events',
    run: (events) => insertEvents(db, events),
    tenantOf: ({ ownerId }) => ownerId,
  });
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

/** The templates of messages that go by WhatsApp first, by the kind of message. */
function whatsappSidsOf({ WHATSAPP_TEMPLATES: templates }: NotifierConfig): Map<string, string> {
  const entries = templates?.split(',').map((entry) => entry.split(':') as [string, string]);
  return new Map(entries);
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
    whatsappSender: whatsappSenderOf(config),
    apiBaseUrl: config.TWILIO_API_BASE_URL,
    // Twilio signs its callbacks over the URL, which means nothing without https.
    callbackBaseUrl: config.PUBLIC_URL?.startsWith('https:') ? config.PUBLIC_URL : undefined,
  };
}

function whatsappSenderOf({
  WHATSAPP_FROM: from,
}: NotifierConfig): TwilioOptions['whatsappSender'] {
  if (from === undefined) return undefined;
  return from.startsWith('+') ? { from: `whatsapp:${from}` } : { messagingServiceSid: from };
}

/** The address of the page "Mi cuenta" as a text has it: without the scheme, which phones do not need. */
function accountPageAt(publicUrl: string | undefined): string | undefined {
  if (publicUrl?.startsWith('https://') !== true) return undefined;
  return `${publicUrl.slice('https://'.length).replace(/\/+$/, '')}/mi`;
}
