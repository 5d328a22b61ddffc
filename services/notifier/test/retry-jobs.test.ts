import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@fiado/chassis/db/query';
import { queuesDatabaseUrl } from '@fiado/chassis/db/roles';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import type { Foundation, ServiceDefinition } from '@fiado/chassis/service';
import { ServiceConfig } from '@fiado/chassis/service-config';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { ops } from '@fiado/chassis/testing/callers';
import { CREATE_PARCELS, parcels } from '@fiado/chassis/testing/parcels';
import { startTestService, type TestService } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import { oppositionAsked } from '@fiado/contracts/jobs/privacy';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { addTo, failedIds, failedJob, JOBS_PATH, mend } from './support/jobs';
import { codeJob, startNotifier, type Notifier } from './support/notifier';

/** A service that writes jobs, and works on none. */
const transactions: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'transactions',
  schema: { name: 'sender_test', baseline: CREATE_PARCELS, migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [],
  jobs: () => [],
  rowJobs: [parcels],
  sendsTo: [],
  loops: () => [],
};

let notifier: Notifier;
let sender: TestService<Foundation>;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  sender = await startTestService(transactions, ServiceConfig);
  notifier = await startNotifier({
    QUEUES_DATABASE_URL: queuesDatabaseUrl(sender.ownerUrl),
    QUEUE_PREFIX: sender.context.config.QUEUE_PREFIX,
    TRANSACTIONS_URL: sender.url,
  });
  // accounts and payments do not run here.
  const { senders } = notifier.context;
  for (const absent of [senders.shift(), senders.pop()]) await absent?.close();
});
afterAll(async () => {
  await notifier.stop();
  await sender.stop();
  jest.restoreAllMocks();
});

const retry = (queue: string, jobId: string) =>
  notifier.call(ops(), 'POST', `${JOBS_PATH}/${queue}/${jobId}/retry`);
const retryAll = (queue: string, body?: object) =>
  notifier.call(ops(), 'POST', `${JOBS_PATH}/${queue}/retry`, body === undefined ? {} : { body });

/** A dead letter in the outbox of the sender, whose queue has forgotten it. */
async function forgottenLetter(): Promise<string> {
  const job = codeJob();
  const [row] = outboxRows(sendMessage, { id: job.subjectId, version: 1 }, job);
  if (row === undefined) throw new Error('The job goes to no queue');
  await sender.context.db.transaction(async (tx) => {
    await appendToOutbox(tx, [row]);
    await query(
      tx,
      `UPDATE outbox SET enqueued_at = now(), dead_at = now(), dead_reason = 'x' WHERE id = $1`,
      [row.id],
    );
  });
  return row.id;
}

/** Rows of the sender whose work failed for good, the newest first. */
async function deadRows(count: number): Promise<string[]> {
  await sender.rows('DELETE FROM parcels');
  const rows = await sender.rows<{ id: string }>(
    `INSERT INTO parcels (id, attempts, last_error, dead_at)
     SELECT gen_random_uuid(), 8, 'a torn label', now() - make_interval(secs => n)
       FROM generate_series(1, $1) AS n RETURNING id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Waits for the effect of a job. */
const untilSent = (id: string) =>
  until('the message is there', async () => {
    const rows = await notifier.rows('SELECT FROM messages WHERE id = $1', [id]);
    return rows.length === 1;
  });

describe('POST /v1/admin/jobs/{queue}/{jobId}/retry', () => {
  test('runs a failed job again, with all its attempts', async () => {
    const id = await failedJob(notifier);
    await mend(notifier, id);

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
    const audited = await notifier.outbox('audit.recorded');
    const details = { queue: 'notifier', jobType: 'send-message', jobId: id };
    expect(audited.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ actorId: 'ops', action: 'jobs.retried', details }),
    );
  });

  test('relays a job again under its id that only the outbox of its sender still has', async () => {
    const id = await forgottenLetter();
    const answer = await retry('notifier', id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jobId: id, type: 'send-message', state: 'waiting' });
    await untilSent(id);
    expect((await retry('payments', id)).status).toBe(404);
  });

  test('relays a job of the notifier itself again, however old', async () => {
    const job = { phoneIndex: Buffer.from('x').toString('base64'), opposes: true };
    const [row] = outboxRows(oppositionAsked, { id: randomUUID(), version: 1 }, job);
    if (row === undefined) throw new Error('The job goes to no queue');
    await notifier.context.db.transaction(async (tx) => {
      await appendToOutbox(tx, [row]);
      await query(
        tx,
        `UPDATE outbox SET created_at = now() - interval '40 days', enqueued_at = now(),
                           dead_at = now(), dead_reason = 'x' WHERE id = $1`,
        [row.id],
      );
    });
    const answer = await retry('accounts', row.id);
    expect([answer.status, answer.body.type]).toEqual([200, 'opposition.asked']);
    await until('it is in its queue', async () => {
      // Perhaps in one bundle with the entry of the audit log.
      const [sent] = await notifier.rows<{ jobId: string }>(
        `SELECT coalesce(bundle, id::text) AS "jobId" FROM outbox WHERE id = $1`,
        [row.id],
      );
      const { state } = await notifier.context.queues.outcomeOf('accounts', sent?.jobId ?? '');
      return state === 'pending';
    });
  });

  test('refuses a job that did not fail', async () => {
    const [id, job] = [randomUUID(), codeJob()];
    await notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    const [waiting = ''] = await addTo(notifier, 'accounts', 1);
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

describe('POST /v1/admin/jobs/{queue}/retry', () => {
  beforeEach(async () => {
    const queue = notifier.context.queues.queue('notifier');
    for (const id of await failedIds(notifier)) await (await queue.getJob(id))?.remove();
  });

  test('retries every failed job of a queue, and those that the queue no longer has', async () => {
    const failed = [await failedJob(notifier), await failedJob(notifier)];
    const forgotten = await forgottenLetter();
    for (const id of failed) await mend(notifier, id);

    const answer = await retryAll('notifier');
    expect([answer.status, answer.body]).toEqual([200, { retried: 3 }]);
    for (const id of [...failed, forgotten]) await untilSent(id);
    expect((await retryAll('notifier')).body).toEqual({ retried: 0 });
  });

  test('runs only jobs of one type again', async () => {
    const id = await failedJob(notifier);
    const forgotten = await forgottenLetter();
    expect((await retryAll('notifier', { type: 'other' })).body).toEqual({ retried: 0 });
    expect((await retryAll('payments', { type: null })).body).toEqual({ retried: 0 });
    expect(await failedIds(notifier)).toContain(id);
    expect((await retryAll('notifier', { type: 'send-message' })).body).toEqual({ retried: 2 });
    await untilSent(forgotten);
  });

  test.each([
    [{ type: '' }, 'type'],
    [{ type: 7 }, 'type'],
    [{ kind: 'send-message' }, 'kind'],
  ])('%j is a 400', async (body, field) => {
    const answer = await retryAll('notifier', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toContain(field);
  });

  test('is a 404 for a queue that is not there', async () => {
    const answer = await retryAll('gateway');
    expect([answer.status, answer.body.errorCode]).toEqual([404, 'JOB_NOT_FOUND']);
  });
});

describe('failed jobs that are rows of a service', () => {
  test('are listed with those of its queue, page by page', async () => {
    const [first = '', ...others] = await deadRows(5);
    const [failed = ''] = await addTo(notifier, 'payments', 1);
    const jobs = await rowsOfAll('jobs', async (cursor) => {
      const path = `${JOBS_PATH}?queue=transactions&limit=2${cursor}`;
      const page = await notifier.call(ops(), 'GET', path);
      expect(page.body.missing).toEqual([]);
      return page;
    });
    expect(jobs[0]).toEqual({
      jobId: first,
      queue: 'transactions',
      type: 'send-parcel',
      state: 'failed',
      attempts: 8,
      failedReason: 'a torn label',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      failedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const seen = jobs.map(({ jobId }) => jobId);
    expect(seen).toEqual([first, ...others]);

    const all = await notifier.call(ops(), 'GET', JOBS_PATH);
    const listed = all.body.jobs.map((job: { jobId: string }) => job.jobId);
    expect(listed).toEqual(expect.arrayContaining(seen));
    expect(listed).not.toContain(failed);
    const waiting = await notifier.call(ops(), 'GET', `${JOBS_PATH}?state=waiting`);
    expect(waiting.text).not.toContain('send-parcel');
  });

  test('are retried one by one, by their type and with all of their queue', async () => {
    const [one = ''] = await deadRows(4);
    const isDead = async () =>
      (await sender.rows('SELECT FROM parcels WHERE dead_at IS NOT NULL')).length;
    const answer = await retry('transactions', one);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jobId: one, type: 'send-parcel', state: 'waiting' });
    expect(await isDead()).toBe(3);
    expect((await retry('transactions', one)).status).toBe(404);
    expect((await retryAll('payments')).body).toEqual({ retried: 0 });
    expect((await retryAll('transactions', { type: 'other' })).body).toEqual({ retried: 0 });
    expect((await retryAll('transactions', { type: 'send-parcel' })).body).toEqual({ retried: 3 });
    expect(await isDead()).toBe(0);
    expect((await retryAll('transactions')).body).toEqual({ retried: 0 });
  });
});
