import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { signEnvelope, type SignedEnvelope } from '@fiado/chassis/jobs/signed-envelope';
import { ops } from '@fiado/chassis/testing/callers';
import { testProcessKeys } from '@fiado/chassis/testing/process-keys';
import type { Envelope } from '@fiado/contracts/define';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { codeJob, type Notifier } from './notifier';

export const JOBS_PATH = '/v1/admin/jobs';

/** A job that the notifier refused for good. */
export async function failedJob(notifier: Notifier): Promise<string> {
  const job = Object.assign(codeJob(), { template: 'lottery' });
  const before = await failedIds(notifier);
  const delivered = notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job);
  await expect(delivered).rejects.toThrow('The job failed');
  const [id] = (await failedIds(notifier)).filter((one) => !before.includes(one));
  return id ?? '';
}

export async function failedIds(notifier: Notifier): Promise<string[]> {
  const { body } = await notifier.call(ops(), 'GET', `${JOBS_PATH}?queue=notifier`);
  return body.jobs.map((job: { jobId: string }) => job.jobId);
}

/** Gives a job that was refused data that the notifier takes. */
export async function mend(notifier: Notifier, id: string): Promise<void> {
  const job: Job<SignedEnvelope> | undefined = await notifier.context.queues
    .queue('notifier')
    .getJob(id);
  const { envelope } = JSON.parse(job?.data.text ?? '') as { envelope: Envelope };
  const mended = { ...envelope, data: codeJob() };
  await job?.updateData(await signEnvelope(testProcessKeys('transactions'), 'notifier', mended));
}

/** Jobs of a queue that nobody in this test works on. */
export async function addTo(
  notifier: Notifier,
  queue: 'accounts' | 'payments',
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await notifier.context.queues.add(queue, [
      {
        id,
        type: 'secret-news',
        version: 1,
        occurredAt: new Date().toISOString(),
        aggregateId: id,
        aggregateVersion: 1,
        data: { phone: '+525512341234' },
      },
    ]);
  }
  return ids;
}
