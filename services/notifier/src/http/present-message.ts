import type { ListedMessage } from '../use-cases/list-messages';

/** A message as ops sees it: never the whole phone, and its text only in the sandbox. */
export function presentMessage({ message, body }: ListedMessage) {
  return {
    messageId: message.id,
    template: message.template,
    phoneNumber: message.phoneMasked,
    status: message.status,
    reason: message.statusReason,
    attempts: message.attempts,
    createdAt: message.createdAt.toISOString(),
    sentAt: message.sentAt?.toISOString() ?? null,
    expiresAt: message.expiresAt.toISOString(),
    wholesalerId: message.wholesalerId,
    subjectId: message.subjectId,
    ...(body === undefined ? {} : { body }),
  };
}
