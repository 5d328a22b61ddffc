import type { Db } from '@fiado/chassis/db/database';
import { query, queryNamed } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import type { MessageTemplate } from '@fiado/contracts/jobs/send-message';
import {
  smsBudgetCall,
  smsStatusCall,
  type SmsBudgetAnswer,
  type SmsBudgetQuestion,
  type SmsStatusAnswer,
  type SmsStatusQuestion,
} from '@fiado/contracts/sms';
import type { Context } from '../context';
import { QUEUE_ID } from './claim-messages.sql';
import type { MessageStatus } from './messages.sql';
import { overPhoneBudget, phoneUseQuery, type PhoneBudgets } from './phone-budget.sql';

export const smsBudgetEndpoint = internalEndpoint({
  call: smsBudgetCall,
  allow: ['service:accounts', 'service:transactions'],
  handle: answerSmsBudget,
});

export const smsStatusEndpoint = internalEndpoint({
  call: smsStatusCall,
  allow: ['service:transactions'],
  handle: answerSmsStatus,
});

/** Whether the budgets allow an SMS. Called before a code or word is sent again. */
async function answerSmsBudget(
  { db, config, phoneBudgets }: Pick<Context, 'db' | 'config' | 'phoneBudgets'>,
  { phoneIndex, ...planned }: SmsBudgetQuestion,
): Promise<SmsBudgetAnswer> {
  const allowed = await wouldBeSent(
    db,
    { ...planned, phoneIndex: Buffer.from(phoneIndex, 'base64') },
    { ...phoneBudgets, perWholesaler: config.SMS_PER_WHOLESALER_PER_MINUTE },
  );
  return { allowed };
}

/** The outcome of the newest SMS of a kind about an object. */
async function answerSmsStatus(
  { db }: Pick<Context, 'db'>,
  question: SmsStatusQuestion,
): Promise<SmsStatusAnswer> {
  const status = await newestStatus(db, question);
  // `sending` is internal: callers see `pending`.
  return { status: status === 'sending' ? 'pending' : (status ?? null) };
}

interface PlannedMessage {
  template: MessageTemplate;
  phoneIndex: Buffer;
  wholesalerId: string;
  /** Seconds until it expires. */
  lifeSeconds: number;
}

/**
 * Whether a new message would be sent: within the budgets of its phone, and before its expiry given
 * the messages that wait before it behind its wholesaler's cap. It locks nothing, so two that are
 * requested at the same time may both be accepted.
 */
async function wouldBeSent(
  db: Db,
  { template, phoneIndex, wholesalerId, lifeSeconds }: PlannedMessage,
  {
    perPhone,
    perPhoneAndWholesaler,
    perWholesaler,
  }: PhoneBudgets & {
    /** Claims of one wholesaler's messages in a minute of the clock. */
    perWholesaler: number;
  },
): Promise<boolean> {
  const withinLife = perWholesaler * Math.max(Math.floor(lifeSeconds / 60), 1);
  const [row] = await queryNamed<{ allowed: boolean }>(
    db,
    'would-be-sent',
    `SELECT (${overPhoneBudget({
      template: '$3::text',
      perPhone: '$4::integer',
      perPhoneAndWholesaler: '$5::integer',
    })}) IS NULL
        AND (SELECT count(*) FROM (
               SELECT FROM messages
                WHERE status = 'pending' AND ${QUEUE_ID} = $2::uuid AND next_attempt_at <= now()
                LIMIT $6) waiting) < $6 AS allowed
       FROM (${phoneUseQuery({ phone: '$1', wholesaler: '$2::uuid', perPhone: '$4' })}) used`,
    [phoneIndex, wholesalerId, template, perPhone, perPhoneAndWholesaler, withinLife],
  );
  return row?.allowed ?? true;
}

/** The status of the newest message of a kind about an object; undefined when there is none. */
async function newestStatus(
  db: Db,
  { subjectId, template }: { subjectId: string; template: MessageTemplate },
): Promise<MessageStatus | undefined> {
  const [row] = await query<{ status: MessageStatus }>(
    db,
    `SELECT status FROM messages WHERE subject_id = $1 AND template = $2
      ORDER BY created_at DESC, id DESC LIMIT 1`,
    [subjectId, template],
  );
  return row?.status;
}
