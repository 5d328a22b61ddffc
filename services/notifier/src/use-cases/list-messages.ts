import { pageOf } from '@fiado/shared/chassis/page';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/shared/contracts/jobs/send-message';
import { normalizePhone } from '@fiado/shared/phone';
import type { Context } from '../context';
import type { Message } from '../db/message.entity';
import { findMessages } from '../db/messages.repository';
import type { MessageStatus } from '../domain/message';
import { readSealedSms } from './read-sealed-sms';

export interface ListMessages {
  /** As people write it; looked up by its blind index. */
  phoneNumber?: string | undefined;
  status?: MessageStatus | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  limit: number;
}

export interface ListedMessage {
  message: Message;
  /** The text, in the sandbox only. */
  body: string | undefined;
}

/**
 * A page of messages for ops, newest first.
 * @throws ValidationError when phoneNumber is not a phone number
 */
export async function listMessages(
  context: Context,
  { phoneNumber, status, cursor, limit }: ListMessages,
): Promise<{ messages: ListedMessage[]; nextCursor: string | null }> {
  const found = await findMessages(context.db, {
    ...(phoneNumber === undefined ? {} : { phoneIndex: phoneIndexOf(context, phoneNumber) }),
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { afterId: cursor }),
    limit: limit + 1,
  });

  const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
  return {
    messages: page.map((message) => ({
      message,
      body: context.keepsBodies ? readSealedSms(context, message)?.text : undefined,
    })),
    nextCursor,
  };
}

function phoneIndexOf({ config, sealer }: Context, phoneNumber: string): Buffer {
  const phone = normalizePhone(phoneNumber, config.PHONE_REGION);
  if (phone === undefined) throw new ValidationError(['phoneNumber must be a valid phone number']);
  return sealer.blindIndex(phone, PHONE_PURPOSE);
}
