import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from '@fiado/chassis/logger';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { createTestSealer } from '@fiado/chassis/testing/sealed-columns';
import {
  startTestService,
  TEST_ENVIRONMENT,
  type TestService,
} from '@fiado/chassis/testing/service';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { sendMessage, type SendMessage } from '@fiado/contracts/jobs/send-message';
import { NotifierConfig } from '../../src/config';
import type { Context } from '../../src/context';
import { settleLapsedMessages } from '../../src/messages/settle-lapsed-messages';
import type { SmsProvider } from '../../src/messages/sms-provider';
import { createTwilioSms, type TwilioOptions } from '../../src/messages/twilio';
import { notifierService } from '../../src/service';

export type Notifier = TestService<Context>;

export const PHONE = '+525512341234';
export const TWILIO = {
  SMS_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'the-auth-token-of-twilio',
  TWILIO_FROM: '+525500000000',
  // Production needs one.
  PUBLIC_URL: 'https://fiado.test',
  LENDER_NAME: 'Financiera del Barrio',
  SUPPORT_PHONE: '5512345678',
} as const;

const DEADLINE_MS = 60_000;

export function startNotifier(
  config: Partial<Record<keyof NotifierConfig, string>> = {},
  log?: Logger,
): Promise<Notifier> {
  return startTestService(notifierService, NotifierConfig, {
    config,
    ...(log === undefined ? {} : { log }),
  });
}

/** The notifier in production mode, with a stand-in for Twilio that stops with it. */
export async function startNotifierWithTwilio(
  config: Partial<Record<keyof NotifierConfig, string>> = {},
): Promise<{ notifier: Notifier; twilio: TwilioStandIn }> {
  const twilio = await TwilioStandIn.start();
  const notifier = await startNotifier({
    ...TWILIO,
    FIADO_MODE: 'production',
    TWILIO_API_BASE_URL: twilio.url,
    ...config,
  });
  const stop = async (): Promise<void> => {
    await notifier.stop();
    await twilio.stop();
  };
  return { notifier: { ...notifier, stop }, twilio };
}

/** The real provider with less patience, at another address. */
export function impatientTwilio(
  apiBaseUrl: string,
  more: Partial<TwilioOptions> = {},
): SmsProvider {
  return createTwilioSms({
    accountSid: TWILIO.TWILIO_ACCOUNT_SID,
    authToken: TWILIO.TWILIO_AUTH_TOKEN,
    sender: { from: TWILIO.TWILIO_FROM },
    apiBaseUrl,
    timeoutMs: 300,
    ...more,
  });
}

/** The payload of a job for one code, as another service would put it into its outbox. */
export function codeJob({
  phone = PHONE,
  code = '042137',
  livesMs = 600_000,
  sealed = undefined as string | undefined,
  wholesalerId = undefined as string | undefined,
  verificationId = undefined as string | undefined,
  unprovenBy = null as string | null,
} = {}): SendMessage {
  const [row] = smsRows(createTestSealer(TEST_ENVIRONMENT.ENCRYPTION_KEY), {
    template: 'order-code',
    phone,
    unprovenBy,
    values: { code, amountCents: 125_000, wholesaler: 'Abarrotes del Norte' },
    wholesalerId: wholesalerId ?? randomUUID(),
    subjectId: randomUUID(),
    ...(verificationId === undefined ? {} : { verificationId }),
    expiresAt: new Date(Date.now() + livesMs),
  });
  const job = row?.data as SendMessage;
  if (sealed !== undefined) job.sealed = sealed;
  return job;
}

/** WhatsApp beside SMS, for receipts. */
export const WHATSAPP = {
  WHATSAPP_FROM: '+525500000099',
  WHATSAPP_TEMPLATES: `payment-received:HX${'c'.repeat(32)}`,
  SMS_PER_WHOLESALER_PER_MINUTE: '1000000',
};

/** A receipt to a phone whose owner agreed to WhatsApp. */
export function receiptJob({
  phone,
  wholesalerId,
  byWhatsapp = true,
  livesMs = 36_000_000,
}: {
  phone: string;
  wholesalerId: string;
  byWhatsapp?: boolean;
  livesMs?: number;
}): SendMessage {
  const [row] = smsRows(createTestSealer(TEST_ENVIRONMENT.ENCRYPTION_KEY), {
    template: 'payment-received',
    phone,
    unprovenBy: null,
    values: { amountCents: 50_000, leftCents: 0 },
    byWhatsapp,
    wholesalerId,
    subjectId: randomUUID(),
    expiresAt: new Date(Date.now() + livesMs),
  });
  return row?.data as SendMessage;
}

/** Writes the message of a job as one that waits for a claim. @param owner whose search_path is the schema */
export async function insertPending(owner: Client, id: string, job: SendMessage): Promise<void> {
  const { template, sealed, phoneIndex, phoneMasked, subjectId, wholesalerId } = job;
  await owner.query(
    `INSERT INTO messages (id, template, subject_id, phone_index, phone_masked, sealed, expires_at,
                           wholesaler_id)
     VALUES ($1, $2, $3, decode($4, 'base64'), $5, decode($6, 'base64'),
             now() + interval '10 minutes', $7)`,
    [id, template, subjectId, phoneIndex, phoneMasked, sealed, wholesalerId],
  );
}

/** Handles one job, and lets the sender do what it can at once. @returns the message's id */
export async function deliver(notifier: Notifier, job = codeJob()): Promise<string> {
  const id = randomUUID();
  await notifier.handle(sendMessage, { id: job.subjectId, version: 1 }, job, id);
  await sendAll(notifier);
  return id;
}

/**
 * Rounds of the sender until none finds anything to do, and the calls of all rounds have ended. The
 * sender's own loop runs beside them: what it is claiming just now, it has claimed when a lock on
 * the table is granted.
 */
export async function sendAll({ context }: Notifier): Promise<void> {
  while (await context.sender.sendDue());
  await context.db.transaction((tx) =>
    tx.connection.query('LOCK TABLE messages IN EXCLUSIVE MODE'),
  );
  await sleep(0);
  await context.sender.calls.allEnded();
}

export interface MessageRow {
  status: string;
  status_reason: string | null;
  provider: string | null;
  provider_sid: string | null;
  attempts: number;
  sealed: Buffer | null;
  sent_at: Date | null;
  waits_ms: number;
}

export async function messageRow(notifier: Notifier, id: string): Promise<MessageRow> {
  const [row] = await notifier.rows<MessageRow>(
    `SELECT *, (EXTRACT(EPOCH FROM next_attempt_at - updated_at) * 1000)::float8 AS waits_ms
       FROM messages WHERE id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('There is no such message');
  return row;
}

/** Waits until the message has that status. */
export async function untilStatus(
  notifier: Notifier,
  id: string,
  status: string,
): Promise<MessageRow> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const row = await messageRow(notifier, id).catch(() => undefined);
    if (row?.status === status) return row;
    if (Date.now() > deadline) throw new Error(`The message is still ${row?.status ?? 'absent'}`);
    await sleep(20);
  }
}

/** A row as a dead process leaves it. */
export async function insertRow(
  notifier: Notifier,
  status: string,
  more: { expires?: string; claimed?: string } = {},
): Promise<string> {
  const [id = ''] = await insertRows(notifier, 1, status, more);
  return id;
}

/** Several such rows of one phone. */
export async function insertRows(
  notifier: Notifier,
  count: number,
  status: string,
  { expires = '10 minutes', claimed = '' } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const { template, sealed, phoneIndex, phoneMasked, subjectId } = codeJob();
  await notifier.rows(
    `INSERT INTO messages (id, template, subject_id, phone_index, phone_masked, sealed, status,
                           attempts, claimed_until, expires_at)
     SELECT id, $2, $3, decode($4, 'base64'), $5, decode($6, 'base64'), $7,
            CASE WHEN $7 = 'sending' THEN 1 ELSE 0 END,
            now() + NULLIF($8, '')::interval, now() + $9::interval
       FROM unnest($1::uuid[]) id`,
    [ids, template, subjectId, phoneIndex, phoneMasked, sealed, status, claimed, expires],
  );
  return ids;
}

/** Makes a pending message due now, whatever pause it was given. */
export async function hurry(notifier: Notifier, id: string): Promise<void> {
  await notifier.rows('UPDATE messages SET next_attempt_at = now() WHERE id = $1', [id]);
}

/**
 * Makes the minute of every wholesaler's cap a past one, also one that has not come yet, and lets the
 * sender do what it then can.
 */
export async function nextMinute(notifier: Notifier): Promise<void> {
  await notifier.rows(
    `UPDATE claims_of_minute SET minute = minute - interval '2 minutes',
                                 full_minute = full_minute - interval '2 minutes'`,
  );
  await notifier.rows(
    `UPDATE messages SET next_attempt_at = next_attempt_at - interval '1 minute'
      WHERE status = 'pending'`,
  );
  await sendAll(notifier);
}

/** Two rounds of the message sender and settler: what they would do again, they have done by then. */
export async function twoRounds(notifier: Notifier): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await sendAll(notifier);
    while (await settleLapsedMessages(notifier.context));
  }
}
