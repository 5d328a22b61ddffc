import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@fiado/shared/chassis/db/query';
import { ops, service, wholesaler } from '@fiado/shared/testing/callers';
import { codeJob, deliver, startNotifier, type Notifier } from './support/notifier';

const PATH = '/v1/admin/jobs';

let notifier: Notifier;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier();
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});

const list = (search = '') => notifier.call(ops(), 'GET', `${PATH}${search}`);
const retry = (queue: string, jobId: string) =>
  notifier.call(ops(), 'POST', `${PATH}/${queue}/${jobId}/retry`);

/** A job that the notifier refused for good. */
async function failedJob(): Promise<string> {
  const job = Object.assign(codeJob(), { template: 'lottery' });
  const before = await failedIds();
  await expect(deliver(notifier, job)).rejects.toThrow('The job failed');
  const [id] = (await failedIds()).filter((one) => !before.includes(one));
  return id ?? '';
}

async function failedIds(): Promise<string[]> {
  const { body } = await list('?queue=notifier');
  return body.jobs.map((job: { jobId: string }) => job.jobId);
}

/** Jobs of a queue that nobody in this test works on. */
async function addTo(queue: 'accounts' | 'payments', count: number): Promise<string[]> {
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

describe('GET /v1/admin/jobs', () => {
  test('tells of a failed job all but its data', async () => {
    const id = await failedJob();
    const answer = await list('?queue=notifier');
    expect(answer.status).toBe(200);
    expect(answer.body.jobs[0]).toEqual({
      jobId: id,
      queue: 'notifier',
      type: 'send-message',
      state: 'failed',
      attempts: 1,
      failedReason: expect.stringContaining('template'),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      failedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test('pages through the queues of the house, newest first, each job once', async () => {
    const accounts = await addTo('accounts', 3);
    const payments = await addTo('payments', 4);
    const newestFirst = [...accounts.toReversed(), ...payments.toReversed()];
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body, text } = await list(`?state=waiting&limit=2${cursor}`);
      expect(text).not.toContain('+5255');
      expect(body.jobs.length).toBeLessThanOrEqual(2);
      seen.push(...body.jobs.map((job: { jobId: string }) => job.jobId));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(newestFirst);

    const { body } = await list('?state=waiting&queue=payments');
    expect(body).toMatchObject({ jobs: { length: 4 }, nextCursor: null });
  });

  test.each([
    ['?queue=gateway', 'queue'],
    ['?state=lost', 'state'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?cursor=accounts', 'cursor'],
    ['?cursor=accounts--1', 'cursor'],
    ['?queue=accounts&queue=payments', 'queue'],
  ])('%s is a 400', async (search, field) => {
    const answer = await list(search);
    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toContain(field);
  });

  test('is for ops alone, and so is a retry', async () => {
    const calls = [
      ['GET', PATH],
      ['POST', `${PATH}/notifier/${randomUUID()}/retry`],
      ['GET', '/v1/admin/invariants/notifier'],
    ] as const;
    for (const [method, path] of calls) {
      expect((await notifier.call(undefined, method, path)).status).toBe(401);
      for (const caller of [wholesaler(), service('accounts')]) {
        expect((await notifier.call(caller, method, path)).status).toBe(403);
      }
    }
  });
});

describe('POST /v1/admin/jobs/{queue}/{jobId}/retry', () => {
  test('runs a failed job again, with all its tries', async () => {
    const id = await failedJob();
    const job = await notifier.context.queues.queue('notifier').getJob(id);
    await job?.updateData({ ...job.data, data: codeJob() });

    const answer = await retry('notifier', id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jobId: id, queue: 'notifier', type: 'send-message' });
    expect(answer.body.state).not.toBe('failed');
    expect(answer.body.failedReason).toBeNull();
    while ((await notifier.context.queues.outcomeOf('notifier', id)).state !== 'completed') {
      await sleep(10);
    }
    const rows = await query(notifier.context.db, 'SELECT FROM messages WHERE id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  test('refuses a job that did not fail', async () => {
    const id = await deliver(notifier);
    const [waiting = ''] = await addTo('accounts', 1);
    for (const [queue, jobId] of [
      ['notifier', id],
      ['accounts', waiting],
    ] as const) {
      const answer = await retry(queue, jobId);
      expect([answer.status, answer.body.errorCode]).toEqual([422, 'JOB_IS_NOT_FAILED']);
    }
  });

  test.each([
    ['notifier', randomUUID()],
    ['notifier', 'no-uuid'],
    ['notifier', '%00'],
    ['notifier', 'a%3Ab'],
    ['gateway', randomUUID()],
  ])('a job that is not there is a 404: %s %s', async (queue, jobId) => {
    const answer = await retry(queue, jobId);
    expect([answer.status, answer.body.errorCode]).toEqual([404, 'JOB_NOT_FOUND']);
  });
});
