import { currentRequestId } from '@fiado/shared/chassis/request-context';
import type { SendMessage } from '@fiado/shared/contracts/jobs/send-message';
import type { Context } from '../context';
import { insertMessage } from '../db/insert-message';

/**
 * Stores a message of another service. Then the job is done: the message sender sends the message
 * and stores its outcome in the row.
 * @param messageId id of the job, the same however often it is delivered
 */
export async function takeMessage(
  context: Context,
  messageId: string,
  data: SendMessage,
): Promise<void> {
  await insertMessage(context.db, {
    id: messageId,
    template: data.template,
    wholesalerId: data.wholesalerId ?? null,
    subjectId: data.subjectId,
    verificationId: data.verificationId ?? null,
    requestId: currentRequestId() ?? null,
    phoneIndex: Buffer.from(data.phoneIndex, 'base64'),
    phoneMasked: data.phoneMasked,
    sealed: Buffer.from(data.sealed, 'base64'),
    expiresAt: new Date(data.expiresAt),
  });
  context.sender.wake();
}
