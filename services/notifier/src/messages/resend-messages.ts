import { Equals, IsBoolean, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import { liveMessagesCall, MAX_LIVE_QUESTION } from '@fiado/contracts/live-messages';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';

/** The service that decides whether a message of the template still has a purpose. */
const OWNERS: Partial<Record<MessageTemplate, 'accounts' | 'transactions' | 'payments'>> = {
  'verification-code': 'accounts',
  'order-code': 'transactions',
  'delivery-word': 'transactions',
  'payment-due': 'payments',
  'payment-overdue': 'payments',
};

class ResendMessagesBody {
  @About('Only unknown messages can be sent again')
  @Equals('unknown')
  status: 'unknown';

  @About('Only messages that were made since then: a date or a timestamp', '2026-11-22T16:00:00Z')
  @IsDateText()
  since: string;

  @About('Only count', true)
  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;

  @About('`nextCursor` of the call before', 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938')
  @IsOptional()
  @IsUUID()
  cursor?: string;
}

export const resendMessagesEndpoint = endpoint({
  id: 'resendMessages',
  as: 'messages.resend',
  tag: 'Ops: operation',
  route: 'POST /v1/admin/messages/resend',
  scope: 'operator',
  summary: 'Send unknown messages again',
  description:
    'After an outage of the SMS provider: makes a new message of each one of which nobody knows whether it was ' +
    'sent, if its purpose is still alive (a code that is still waited for, a word of an order on hold, a debt that ' +
    'is not paid), it is not expired, and no newer one was asked for. Some stores may get the SMS twice. ' +
    'With `dryRun` it only counts. Repeat the call with `cursor` while there is a `nextCursor`.',
  body: ResendMessagesBody,
  bodyExample: { status: 'unknown', since: '2026-09-21T16:00:00Z', dryRun: true },
  answer: t.object('ResentMessages', {
    unknown: t.field(
      t.count,
      'Unknown messages that are not expired and not followed by a newer one',
      248,
    ),
    resent: t.field(
      t.count,
      'Those whose purpose is alive: sent again, or that would be in a dry run',
      231,
    ),
    nextCursor: t.idOrNull(
      'The next page; null on the last',
      '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
    ),
  }),
  example: { nextCursor: null },
  input: ({ body: { since, dryRun, cursor }, caller: by }, { config }: Context) => ({
    by,
    since: readDate('since', since, config.TIME_ZONE),
    dryRun: dryRun ?? false,
    cursor,
  }),
  // Sends a page of unknown messages again, as new messages, if their purpose is still alive. A message is unknown when
  // it may or may not have been sent. A store may get the SMS twice (docs/adr/0004-at-most-once-sms.md): a person decides.
  // When a service cannot be asked, nothing is sent.
  handle: async (context: Context, { by, since, dryRun, cursor }) => {
    const { db, senders, sender } = context;
    const page = { since, afterId: cursor, limit: MAX_LIVE_QUESTION };
    // The services are asked outside the database transaction.
    const unknown = await findUnknown(db, page);
    const live = new Set(await findLive(senders, unknown));
    let resent = live.size;
    if (!dryRun && live.size > 0) {
      await db.transaction(async (tx) => {
        // When two calls run at the same time, the second one must see the messages of the first.
        await query(tx, LOCK_RESEND);
        const again = (await findUnknown(tx, page)).filter(({ id }) => live.has(id));
        resent = again.length;
        if (resent === 0) return;
        await insertAgain(
          tx,
          again.map(({ id }) => id),
        );
        const details = { since: since.toISOString(), resent };
        await audit(tx, by, { action: 'messages.resent', details });
      });
      sender.wake();
    }
    const nextCursor = unknown.length < MAX_LIVE_QUESTION ? null : (unknown.at(-1)?.id ?? null);
    return { unknown: unknown.length, resent, nextCursor };
  },
  present: (resent) => resent,
});

/** SQL that waits until no other database transaction makes new messages of unknown ones. */
export const LOCK_RESEND = `SELECT pg_advisory_xact_lock(hashtext('notifier.resend-unknown'))`;

/** A message that only informs, such as one about a received payment, has a purpose until it expires. */
async function findLive(senders: InternalClient[], unknown: UnknownMessage[]): Promise<string[]> {
  const informing = unknown.filter(({ template }) => OWNERS[template] === undefined);
  const answers = await Promise.all(
    senders.map(async (sender) => {
      const messages = unknown
        .filter(({ template }) => OWNERS[template] === sender.name)
        .map(({ id: messageId, template, subjectId, verificationId }) => ({
          messageId,
          template,
          subjectId,
          ...(verificationId !== null && { verificationId }),
        }));
      if (messages.length === 0) return [];
      const { messageIds } = await sender.ask(liveMessagesCall, { messages });
      return messageIds;
    }),
  );
  return [...informing.map(({ id }) => id), ...answers.flat()];
}

/** A message that may or may not have been sent. */
interface UnknownMessage {
  id: string;
  template: MessageTemplate;
  subjectId: string;
  verificationId: string | null;
}

/**
 * Unknown messages that could still be sent, oldest first: not expired, and without a newer message of the same kind.
 * @param afterId last message of the page before
 */
function findUnknown(
  db: Db,
  { since, afterId, limit }: { since: Date; afterId: string | undefined; limit: number },
): Promise<UnknownMessage[]> {
  return query<UnknownMessage>(
    db,
    `SELECT id, template, subject_id AS "subjectId", verification_id AS "verificationId"
       FROM messages
      WHERE status = 'unknown' AND created_at >= $1 AND expires_at > now() AND sealed IS NOT NULL
        -- An SMS follows a WhatsApp message by itself.
        AND channel IS NULL
        AND ($2::uuid IS NULL
             OR (created_at, id) > (SELECT created_at, id FROM messages WHERE id = $2))
        AND NOT EXISTS (SELECT FROM messages newer
                         WHERE newer.subject_id = messages.subject_id
                           AND newer.template = messages.template
                           AND (newer.created_at, newer.id) > (messages.created_at, messages.id))
      ORDER BY created_at, id LIMIT $3`,
    [since, afterId, limit],
  );
}

/** Inserts a copy of each message as a new one, which counts against all budgets. */
async function insertAgain(tx: Transaction, ids: string[]): Promise<void> {
  await query(
    tx,
    `INSERT INTO messages (id, template, wholesaler_id, subject_id, verification_id, request_id,
                           phone_index, phone_masked, sealed, expires_at)
     SELECT uuidv7(), template, wholesaler_id, subject_id, verification_id, request_id,
            phone_index, phone_masked, sealed, expires_at
       FROM messages WHERE id = ANY ($1) AND status = 'unknown' AND sealed IS NOT NULL
      ORDER BY id`,
    [ids],
  );
}
