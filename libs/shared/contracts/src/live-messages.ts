import { IsIn, IsOptional, IsUUID } from './class-validator';
import { IsArrayOf } from './decorators';
import { MESSAGE_TEMPLATES, type MessageTemplate } from './message-catalogue';
import { defineCall } from './define';

/** Messages of one question: their ids are far below the limit of a body. */
export const MAX_LIVE_QUESTION = 500;

class PastMessage {
  @IsUUID()
  messageId: string;

  @IsIn(MESSAGE_TEMPLATES)
  template: MessageTemplate;

  /** The order or the user that it is about. */
  @IsUUID()
  subjectId: string;

  @IsOptional()
  @IsUUID()
  verificationId?: string | undefined;
}

class LiveMessagesQuestion {
  @IsArrayOf(() => PastMessage, { max: MAX_LIVE_QUESTION })
  messages: PastMessage[];
}

interface LiveMessagesAnswer {
  messageIds: string[];
}

/**
 * For accounts, transactions and payments: which of these messages still have a purpose. A code
 * has none after its verification, a delivery word after the delivery, a reminder after the
 * payment.
 */
export const liveMessagesCall = defineCall<LiveMessagesAnswer>()(
  '/internal/live-messages',
  LiveMessagesQuestion,
);
