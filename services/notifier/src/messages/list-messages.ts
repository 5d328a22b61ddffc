import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { findTimeline } from '@fiado/chassis/db/find-timeline';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { storesOfPhonesCall } from '@fiado/contracts/corner-store';
import { IsText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { MESSAGE_TEMPLATES, type MessageTemplate } from '@fiado/contracts/message-catalogue';
import { PageQuery } from '@fiado/contracts/page';
import { messageTimelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';
import {
  ATTEMPT_OUTCOMES,
  CHANNELS,
  findAttempts,
  type Message,
  MESSAGE_STATUSES,
  type MessageAttempt,
  type MessageStatus,
  pageOfMessages,
} from './messages.sql';
import { phoneIndexOf, readSealedSms } from './sealed-sms';
import { findBehindCap } from './waiting-messages';

/** Who may look up a phone number, here as in the search. */
const SEARCHES_PHONES = 'operator';

class MessageSearch extends PageQuery {
  @About('Only messages to this phone number', '+525512345678')
  @IsOptional()
  @IsText(50)
  phoneNumber?: string;

  @About('Only messages with this status')
  @IsOptional()
  @IsIn(MESSAGE_STATUSES)
  status?: MessageStatus;

  @About('Only messages of this kind')
  @IsOptional()
  @IsIn(MESSAGE_TEMPLATES)
  template?: MessageTemplate;

  @About('Only those of this order', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
  @IsOptional()
  @IsUUID()
  transactionId?: string;

  @About(
    'Only those about this user: the codes of an account',
    '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
  )
  @IsOptional()
  @IsUUID()
  userId?: string;
}

/** A message as ops sees it: never the whole phone, and its text only in the sandbox. */
const attemptAnswer = t.object('MessageAttempt', {
  startedAt: t.time('Start of the call', '2026-09-21T16:04:05.900Z'),
  finishedAt: t.time('End of the call', '2026-09-21T16:04:06.012Z'),
  outcome: t.field(
    t.oneOf(ATTEMPT_OUTCOMES),
    '`pending` is tried again; `unknown` may have been sent',
  ),
  httpStatus: t.field(t.nullable(t.count), 'Status of the answer; null without one', 201),
  providerCode: t.textOrNull('The provider’s code of a failure', '30003'),
});

const messageAnswer = t.object(
  'Message',
  {
    messageId: t.id('Id of the SMS', 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938'),
    template: t.field(t.text, 'Kind of SMS', 'order-code'),
    channel: t.field(t.oneOf(CHANNELS), 'What it goes by'),
    follows: t.idOrNull(
      'Id of the WhatsApp message that this SMS follows, which failed or was late; null without one',
      'f6c5d77b-1f0a-49d2-8f0e-4c5b9b0a3a1e',
    ),
    phoneNumber: t.field(
      t.text,
      'Phone number of the SMS. Masked except the last four digits',
      '********0101',
    ),
    cornerStoreId: t.idOrNull(
      'Id of the corner store that has this phone now; null without one, and while accounts does not answer',
      EXAMPLE_IDS.cornerStoreId,
    ),
    status: t.field(t.oneOf(MESSAGE_STATUSES), 'State of the SMS'),
    reason: t.textOrNull('Why the SMS was not sent or did not arrive', 'phone-cap'),
    attempts: fields.attempts,
    createdAt: fields.createdAt,
    sentAt: t.timeOrNull('Time at which the SMS provider accepted it', '2026-09-21T16:04:06.012Z'),
    expiresAt: fields.expiresAt,
    wholesalerId: t.nullable(fields.wholesalerId),
    subjectId: t.id('Id of the order or the verification', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11'),
    attemptLog: t.list(attemptAnswer, 'Each call to the SMS provider for it'),
    body: t.field(t.text, 'Text of the SMS. Only in the sandbox', 'Fiado: tu codigo es 123456'),
  },
  ['body'],
);

export const searchMessagesEndpoint = listEndpoint({
  id: 'searchMessages',
  as: 'messages.search',
  columns: [
    'messageId',
    'status',
    'template',
    'channel',
    'phoneNumber',
    'attempts',
    'reason',
    'createdAt',
    'sentAt',
  ],
  route: 'POST /v1/admin/messages/search',
  summary: 'List messages, newest first',
  description:
    'With `transactionId` those about an order: its codes, its delivery word, and the messages about ' +
    'its debt. With `userId` the codes of an account; one of the two at a time. `phoneNumber` is for ' +
    'operators, and the search is audited.',
  body: MessageSearch,
  bodyExample: { phoneNumber: '+525512340101', status: 'failed' },
  bodyOptional: true,
  tag: 'Ops: operation',
  scope: 'viewer',
  page: 'MessagePage',
  items: { messages: t.field(messageAnswer, 'SMS, newest first') },
  example: {
    follows: null,
    status: 'sent',
    reason: null,
    expiresAt: '2026-09-21T16:14:05.678Z',
    attemptLog: [{ providerCode: null }],
  },
  input: ({ body, caller }) => messagesOf(body, caller),
  // A page of messages for ops, newest first. Phones are masked; a search for the messages of one
  // phone is audited, because it reveals personal data.
  find: async (context: Context, { by, phoneNumber, status, template, subjectId, ...asked }) => {
    const phoneIndex = phoneNumber === undefined ? undefined : phoneIndexOf(context, phoneNumber);
    const filter = { phoneIndex, status, template, subjectId };
    const { page, nextCursor } = await pageOfMessages(context.db, filter, asked);
    // A sandbox has no real personal data.
    if (phoneNumber !== undefined && context.config.FIADO_MODE === 'production') {
      const details = { messageIds: page.map(({ id }) => id) };
      await audit(context.db, by, { action: 'messages.searched', details });
    }
    const ids = page.map(({ id }) => id);
    const behindCap = await findBehindCap(context.db, ids);
    const attempts = await findAttempts(context.db, ids);
    const stores = await storesOf(context, page);
    return {
      page: page.map((message) => ({
        message,
        cornerStoreId: stores.get(message.phoneIndex.toString('base64')) ?? null,
        reason: behindCap.has(message.id) ? 'wholesaler-cap' : message.statusReason,
        attempts: attempts.filter(({ messageId }) => messageId === message.id),
        body: context.keepsBodies ? readSealedSms(context, message)?.text : undefined,
      })),
      nextCursor,
    };
  },
  present: ({ message, cornerStoreId, reason, body, attempts }: ListedMessage) =>
    t.presentRow(messageAnswer, message, {
      messageId: message.id,
      phoneNumber: message.phoneMasked,
      cornerStoreId,
      channel: message.channel ?? 'sms',
      reason,
      attemptLog: attempts.map((attempt) => t.presentRow(attemptAnswer, attempt, {})),
      ...(body === undefined ? {} : { body }),
    }),
});

/** @throws AppError FORBIDDEN, or ValidationError for a combination that finds nothing */
function messagesOf({ transactionId, userId, ...list }: MessageSearch, by: Caller) {
  if (list.phoneNumber !== undefined && !by.scopes.includes(SEARCHES_PHONES)) {
    throw new AppError('FORBIDDEN');
  }
  if (transactionId !== undefined && userId !== undefined) {
    throw new ValidationError(['transactionId and userId cannot be combined']);
  }
  return { by, ...list, subjectId: transactionId ?? userId };
}

interface ListedMessage {
  message: Message;
  /** The store that has its phone now. */
  cornerStoreId: string | null;
  /** Why it is not sent: the reason of its row, or the limit that it waits for. */
  reason: string | null;
  /** The text, in the sandbox only. */
  body: string | undefined;
  /** Calls to the provider, in their order. */
  attempts: MessageAttempt[];
}

/** The stores of messages, by the indexes of their phones; none while accounts does not answer. */
async function storesOf(
  { accounts }: Context,
  page: Message[],
): Promise<ReadonlyMap<string, string>> {
  const indexes = page.map(({ phoneIndex }) => phoneIndex.toString('base64'));
  if (indexes.length === 0) return new Map();
  const phoneIndexes = [...new Set(indexes)];
  const answer = await accounts
    .ask(storesOfPhonesCall, { phoneIndexes })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return { stores: [] };
    });
  return new Map(answer.stores.map((store) => [store.phoneIndex, store.cornerStoreId]));
}

/** Each message once, with its outcome; findBehindCap decides alike what a cap holds back. */
const MESSAGES = `
  SELECT m.created_at AS at, 'message.requested' AS type, m.id::text AS id, m.wholesaler_id,
         m.subject_id,
         jsonb_strip_nulls(jsonb_build_object(
           'template', m.template, 'channel', m.channel, 'phoneNumber', m.phone_masked, 'status', m.status,
           'reason', CASE WHEN m.status = 'pending' AND m.attempts = 0
                           AND m.next_attempt_at < c.full_minute + interval '1 minute'
                          THEN 'wholesaler-cap' ELSE m.status_reason END,
           'attempts', m.attempts, 'sentAt', m.sent_at, 'expiresAt', m.expires_at)) AS details
    FROM (SELECT * FROM messages WHERE phone_index = ANY($8)
          UNION SELECT * FROM messages WHERE subject_id = $7) m
    LEFT JOIN claims_of_minute c ON c.wholesaler_id = m.wholesaler_id
   -- The store is known by its user and its phones.
   WHERE $1::uuid IS NOT NULL`;

export const timelineEndpoint = internalEndpoint({
  call: messageTimelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { userId, phoneIndexes, ...question }) => {
    const indexes = phoneIndexes.map((index) => Buffer.from(index, 'base64'));
    return { entries: await findTimeline(db, question, [MESSAGES], [userId, indexes]) };
  },
});
