import type { Caller } from '@fiado/contracts/caller';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { pageOf } from '@fiado/contracts/page';
import { auditRows } from '@fiado/chassis/outbox/audit-rows';
import type { Context } from '../context';
import type { Message, MessageAttempt } from '../db/messages.repository';
import { findAttempts, findMessages } from '../db/messages.repository';
import { findBehindCap } from '../db/waiting-messages';
import type { MessageStatus } from '../domain/message';
import { phoneIndexOf } from '../steps/phone-index';
import { readSealedSms } from '../steps/read-sealed-sms';

export interface ListMessages {
  by: Caller;
  /** As people write it; looked up by its blind index. */
  phoneNumber?: string | undefined;
  status?: MessageStatus | undefined;
  /** The order or user that it is about. */
  subjectId?: string | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  limit: number;
}

export interface ListedMessage {
  message: Message;
  /** Why it is not sent: the reason of its row, or the limit that it waits for. */
  reason: string | null;
  /** The text, in the sandbox only. */
  body: string | undefined;
  /** Calls to the provider, in their order. */
  attempts: MessageAttempt[];
}

/**
 * A page of messages for ops, newest first. Phones are masked; a search for the messages of one
 * phone is audited, because it reveals personal data.
 * @throws ValidationError when phoneNumber is not a phone number
 */
export async function listMessages(
  context: Context,
  { by, phoneNumber, status, subjectId, cursor, limit }: ListMessages,
): Promise<{ messages: ListedMessage[]; nextCursor: string | null }> {
  const found = await findMessages(context.db, {
    ...(phoneNumber === undefined ? {} : { phoneIndex: phoneIndexOf(context, phoneNumber) }),
    ...(status === undefined ? {} : { status }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(cursor === undefined ? {} : { afterId: cursor }),
    limit: limit + 1,
  });

  const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
  // A sandbox has no real personal data.
  if (phoneNumber !== undefined && context.config.FIADO_MODE === 'production') {
    const details = { messageIds: page.map(({ id }) => id) };
    await appendToOutbox(context.db, auditRows(by, { action: 'messages.searched', details }));
    context.relay.wake();
  }
  const ids = page.map(({ id }) => id);
  const behindCap = await findBehindCap(context.db, ids);
  const attempts = await findAttempts(context.db, ids);
  return {
    messages: page.map((message) => ({
      message,
      reason: behindCap.has(message.id) ? 'wholesaler-cap' : message.statusReason,
      attempts: attempts.filter(({ messageId }) => messageId === message.id),
      body: context.keepsBodies ? readSealedSms(context, message)?.text : undefined,
    })),
    nextCursor,
  };
}
