import { currentRequestId } from '@fiado/shared/chassis/request-context';
import { currentTraceparent } from '@fiado/shared/chassis/tracing/tracer';
import type { SendMessage } from '@fiado/shared/contracts/jobs/send-message';
import type { Context } from '../context';

/**
 * Stores a message of another service. Then the job is done: the message sender sends the message
 * and stores its outcome in the row.
 * @param id of the job, the same however often it is delivered
 */
export async function takeMessage(context: Context, id: string, job: SendMessage): Promise<void> {
  await context.newMessages.add({
    id,
    requestId: currentRequestId(),
    traceparent: currentTraceparent(),
    job,
  });
  context.sender.wake();
}
