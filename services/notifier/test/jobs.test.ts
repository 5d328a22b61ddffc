import { randomUUID } from 'node:crypto';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { addJob } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import { addTo, failedJob, JOBS_PATH } from './support/jobs';
import { startNotifier, type Notifier } from './support/notifier';

let notifier: Notifier;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier();
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});

const list = (search = '') => notifier.call(ops(), 'GET', `${JOBS_PATH}${search}`);

describe('GET /v1/admin/jobs', () => {
  test('shows a failed job without its data', async () => {
    const id = await failedJob(notifier);
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

  test('pages through all queues, newest first, each job once', async () => {
    const accounts = await addTo(notifier, 'accounts', 3);
    const payments = await addTo(notifier, 'payments', 4);
    const newestFirst = [...accounts.toReversed(), ...payments.toReversed()];
    const seen = await rowsOfAll('jobs', async (cursor) => {
      const page = await list(`?state=waiting&limit=2${cursor}`);
      expect(page.text).not.toContain('+5255');
      expect(page.body.jobs.length).toBeLessThanOrEqual(2);
      return page;
    });
    expect(seen.map(({ jobId }) => jobId)).toEqual(newestFirst);

    const { body } = await list('?state=waiting&queue=payments');
    expect(body).toMatchObject({ jobs: { length: 4 }, nextCursor: null });
  });

  test('shows the last error of a job that will be retried', async () => {
    const id = randomUUID();
    await addJob(notifier.context.queues, 'notifier', {
      id,
      type: 'unheard-of',
      version: 1,
      occurredAt: new Date().toISOString(),
      aggregateId: id,
      aggregateVersion: 1,
      data: {},
      producer: 'accounts',
      opts: { attempts: 3, backoff: { type: 'fixed', delay: 600_000 } },
    });

    const delayed = async () =>
      (await list('?queue=notifier&state=delayed')).body.jobs.find(
        (job: { jobId: string }) => job.jobId === id,
      );
    await until('the job has failed once', async () => (await delayed()) !== undefined);
    expect(await delayed()).toMatchObject({
      state: 'delayed',
      attempts: 1,
      failedReason: 'No handler for jobs of type unheard-of',
      failedAt: null,
    });
    await (await notifier.context.queues.queue('notifier').getJob(id))?.remove();
  });

  test('names the services whose own failed jobs it could not read, and lists the others', async () => {
    const id = await failedJob(notifier);
    const { status, body } = await list();
    expect([status, body.missing]).toEqual([200, ['accounts', 'transactions', 'payments']]);
    expect(body.jobs.map((job: { jobId: string }) => job.jobId)).toContain(id);
    expect((await list('?queue=notifier')).body.missing).toEqual([]);
    expect((await list('?state=waiting')).body.missing).toEqual([]);
  });

  test.each([
    ['?queue=gateway', 'queue'],
    ['?state=lost', 'state'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?cursor=accounts', 'cursor'],
    ['?cursor=accounts--1', 'cursor'],
    ['?cursor=accounts-row-1', 'cursor'],
    ['?queue=accounts&queue=payments', 'queue'],
  ])('%s is a 400', async (search, field) => {
    const answer = await list(search);
    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toContain(field);
  });

  test('is for ops alone, and so is a retry', async () => {
    const calls = [
      ['GET', JOBS_PATH],
      ['POST', `${JOBS_PATH}/notifier/${randomUUID()}/retry`],
      ['POST', `${JOBS_PATH}/notifier/retry`],
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
