import { currentRequestId } from '@fiado/chassis/request-context';
import { currentTraceparent } from '@fiado/chassis/tracing/tracer';
import { AppError } from '@fiado/contracts/errors';
import { SMS_PURPOSE, type SendMessage } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';

/**
 * Stores a message of another service, together with all that wait at the same time. The job is then done; the message
 * is sent later, and its outcome is stored in its row.
 * @param id of the job, the same however often it is delivered
 */
export async function takeMessage(context: Context, id: string, job: SendMessage): Promise<void> {
  const sealed = resealed(context, job);
  const byWhatsapp = context.whatsappSids.has(job.template);
  await context.sender.newMessages.add({
    id,
    requestId: currentRequestId(),
    traceparent: currentTraceparent(),
    job: Object.assign({}, job, { sealed }, job.byWhatsapp === true && { byWhatsapp }),
  });
}

/** Reseals a job's values: a job may wait for weeks, longer than the loop that reseals all rows takes. */
function resealed({ sealer }: Context, { sealed, subjectId }: SendMessage): string {
  try {
    const resealed = sealer.reseal(Buffer.from(sealed, 'base64'), SMS_PURPOSE, subjectId);
    return resealed?.toString('base64') ?? sealed;
  } catch (error) {
    // Delivered again, when this process has read the key.
    if (error instanceof AppError) throw error;
    // The message fails as unreadable, which ops sees.
    return sealed;
  }
}
