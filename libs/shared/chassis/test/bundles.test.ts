import { randomUUID, sign } from 'node:crypto';
import { AppError } from '@fiado/contracts/errors';
import type { Envelope } from '@fiado/contracts/define';
import { query } from '../src/db/query';
import { MAX_BUNDLED, newBundleId } from '../src/jobs/bundle';
import { findJobs, retryFailedJobs } from '../src/jobs/queue-jobs';
import { signBundle, type SignedBundle } from '../src/jobs/signed-envelope';
import { metricsText } from '../src/metrics';
import { currentIds } from '../src/request-context';
import { increasesOf, sampleIn } from '../src/testing/metrics';
import { strangeKeys, testProcessKeys } from '../src/testing/process-keys';
import { until } from '../src/testing/until';
import {
  BACKENDS,
  greeted,
  startOutboxService,
  type OutboxService,
  OVERDUE_SECONDS,
} from './support/outbox-service';

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let service: OutboxService;
  beforeAll(async () => {
    service = await startOutboxService(redisUrl);
  });
  afterEach(() => service.clear());
  afterAll(() => service.stop());

  const jobsOf = (state: 'waiting' | 'active' | 'completed' | 'failed') =>
    service.queues.queue('accounts').getJobs([state]);

  const appendAll = (count: number) =>
    service.appendAll(Array.from({ length: count }, (_, at) => `${at}`));

  async function untilAll(ids: string[], state: string): Promise<void> {
    for (const id of ids) await service.until(id, state);
  }

  async function sweepLater(ids: string[]): Promise<void> {
    await service.age(ids, OVERDUE_SECONDS);
    await service.sweep();
  }

  const texts = (count: number) => Array.from({ length: count }, (_, at) => `${at}`).toSorted();

  test('the rows of a round are one job, and each has its effect and is done', async () => {
    const ids = await appendAll(MAX_BUNDLED);
    await service.relay();
    expect(await service.queues.queue('accounts').getJobCounts('waiting')).toEqual({ waiting: 1 });

    service.startWorker();
    await untilAll(ids, 'completed');
    expect(service.effects.toSorted()).toEqual(texts(MAX_BUNDLED));
    await sweepLater(ids);
    for (const id of ids) {
      expect(await service.stateOf(id)).toMatchObject({ done: true, wiped: true, enqueueCount: 1 });
    }
  });

  test('a row that is alone in its round is a job under its own id', async () => {
    const id = await service.append();
    await service.relay();
    expect((await jobsOf('waiting')).map((job) => job.id)).toEqual([id]);
  });

  describe('while a worker of the release before runs', () => {
    test('rows leave one by one without bundles, in the form that it reads', async () => {
      const ids = await appendAll(3);
      await service.relay({ bundles: false });
      const jobs = await jobsOf('waiting');
      expect(jobs.map(({ id }) => id ?? '').toSorted()).toEqual(ids.toSorted());
      for (const { id, name, data } of jobs) {
        expect(name).toBe(greeted.type);
        expect(Object.keys(data).toSorted()).toEqual(['keyId', 'signature', 'text']);
        expect(JSON.parse(data.text)).toMatchObject({ queue: 'accounts', envelope: { id } });
      }
    });

    test('its jobs are read', async () => {
      const keys = testProcessKeys('accounts');
      const id = randomUUID();
      const about = { aggregateId: id, aggregateVersion: 1, data: { text: 'from before' } };
      const envelope = { id, type: greeted.type, version: 1, occurredAt: '2026-11-22', ...about };
      const text = JSON.stringify({ queue: 'accounts', signedAt: Date.now(), envelope });
      const signature = sign(null, Buffer.from(`fiado job\n${text}`), keys.privateKey);
      const data = { text, keyId: keys.keyId, signature: signature.toString('base64url') };
      await service.queues.queue('accounts').add(greeted.type, data, { jobId: id });
      service.startWorker();
      await service.until(id, 'completed');
      expect(service.effects).toEqual(['from before']);
    });

    test('a bundle that fails there is worked on here, job by job', async () => {
      const ids = await appendAll(3);
      await service.relay();
      // It finds no envelope in the data of a bundle.
      const older = service.queues.worker('accounts', () => Promise.reject(new TypeError('type')));
      void older.run();
      await until('the bundle failed once', async () => {
        const [bundle] = await service.queues.queue('accounts').getJobs(['delayed']);
        return bundle?.attemptsMade === 1;
      });
      await older.close();

      service.startWorker();
      await untilAll(ids, 'completed');
      expect(service.effects.toSorted()).toEqual(texts(3));
      await sweepLater(ids);
      for (const id of ids) expect(await service.stateOf(id)).toMatchObject({ done: true });
    });
  });

  test('each job has the id of its own request, and its own trace', async () => {
    const ids = await appendAll(2);
    for (const id of ids) {
      await query(service.db, 'UPDATE outbox SET request_id = $2, traceparent = $3 WHERE id = $1', [
        id,
        `request-of-${id}`,
        `trace-of-${id}`,
      ]);
    }
    await service.relay();
    const [bundle] = await jobsOf('waiting');
    const data = bundle?.data as SignedBundle | undefined;
    expect(data?.rows.map(({ traceparent }) => traceparent)).toEqual(
      ids.map((id) => `trace-of-${id}`),
    );

    const seen: object[] = [];
    service.beforeEffect = async () => void seen.push(currentIds());
    service.startWorker();
    await untilAll(ids, 'completed');
    expect(seen).toEqual(ids.map((id) => ({ jobId: id, requestId: `request-of-${id}` })));
  });

  test('one that fails becomes a job of its own and a dead letter, and the others are done', async () => {
    const ids = await appendAll(5);
    const bad = ids[2] ?? '';
    service.beforeEffect = async () => {
      if (currentIds().jobId === bad) throw new AppError('JOB_NOT_FOUND');
    };
    await service.relay();
    service.startWorker();
    await service.until(bad, 'failed');
    const job = await service.queues.queue('accounts').getJob(bad);
    expect(job).toMatchObject({ name: greeted.type, failedReason: 'The job does not exist' });
    await sweepLater(ids);
    for (const id of ids) {
      expect(await service.stateOf(id)).toMatchObject({ done: id !== bad, dead: id === bad });
    }

    service.beforeEffect = async () => {};
    expect(await retryFailedJobs(service.queues, 'accounts')).toBe(1);
    await service.until(bad, 'completed');
    expect(service.effects.toSorted()).toEqual(texts(5));
  });

  test('one that fails for now is tried again as a job of its own', async () => {
    const ids = await appendAll(3);
    const [first = ''] = ids;
    let tries = 0;
    service.beforeEffect = async () => {
      if (currentIds().jobId === first && (tries += 1) < 3) throw new Error('not now');
    };
    await service.relay();
    service.startWorker();
    await untilAll(ids, 'completed');
    // The first try was in the bundle.
    expect((await service.queues.queue('accounts').getJob(first))?.attemptsMade).toBe(2);
    await sweepLater(ids);
    for (const id of ids) expect(await service.stateOf(id)).toMatchObject({ done: true });
    expect(service.effects.toSorted()).toEqual(texts(3));
  });

  test('a kill between its rows repeats no effect and loses none', async () => {
    const ids = await appendAll(4);
    const doomed = ids[1] ?? '';
    await service.relay();
    service.beforeEffect = async () => {
      if (currentIds().jobId === doomed) await new Promise(() => undefined);
    };
    const worker = service.startWorker();
    await until('the others have their effect', async () => service.effects.length === 3);
    await worker.close(true);
    service.beforeEffect = async () => {};
    const [bundle] = await jobsOf('active');
    await service.queues.release('accounts', bundle?.id ?? '');

    service.startWorker();
    await untilAll(ids, 'completed');
    await sweepLater(ids);
    for (const id of ids) expect(await service.stateOf(id)).toMatchObject({ done: true });
    expect(service.effects.toSorted()).toEqual(texts(4));
  });

  test('one that always ends its worker does not hold up the others', async () => {
    const ids = await appendAll(3);
    const [deadly = ''] = ids;
    await service.relay();
    service.beforeEffect = () => new Promise(() => undefined);
    const worker = service.startWorker();
    await until('the bundle is taken', async () => (await jobsOf('active')).length === 1);
    await worker.close(true);
    const [bundle] = await jobsOf('active');
    await service.queues.release('accounts', bundle?.id ?? '');

    service.beforeEffect = async () => {
      if (currentIds().jobId === deadly) await new Promise(() => undefined);
    };
    const second = service.startWorker();
    await untilAll(ids.slice(1), 'completed');
    expect(await service.outcomeOf(deadly)).toBe('pending');
    await second.close(true);
  });

  test('the rows of a bundle that its queue lost are added again, each by itself', async () => {
    const ids = await appendAll(3);
    await service.relay();
    for (const job of await jobsOf('waiting')) await job.remove();
    await sweepLater(ids);
    await service.relay();
    const waiting = (await jobsOf('waiting')).map(({ id }) => id ?? '');
    expect(waiting.toSorted()).toEqual(ids.toSorted());
  });

  test('rows of a bundle that still waits are looked up again later', async () => {
    const ids = await appendAll(3);
    await service.relay();
    await sweepLater(ids);
    for (const id of ids) {
      expect(await service.stateOf(id)).toMatchObject({ enqueued: true, done: false, dead: false });
    }
  });

  test('lists and counts have jobs and not bundles', async () => {
    const ids = await appendAll(7);
    await service.relay();
    const last = await service.append();
    await service.relay();
    expect(await service.queues.countJobs('accounts')).toMatchObject({ waiting: 8, failed: 0 });

    const listed: string[] = [];
    const sizes: number[] = [];
    for (let start: number | null = 0; start !== null;) {
      const range = { queue: 'accounts' as const, state: 'waiting' as const, start, count: 3 };
      const { jobs, next } = await findJobs(service.queues, range);
      expect(jobs.every(({ type, attempts }) => type === greeted.type && attempts === 0)).toBe(
        true,
      );
      listed.push(...jobs.map(({ jobId }) => jobId));
      sizes.push(jobs.length);
      start = next;
    }
    expect(sizes).toEqual([3, 3, 2]);
    expect(listed.toSorted()).toEqual([...ids, last].toSorted());
  });

  describe('a bundle that nobody may send', () => {
    function envelope(id: string, type = greeted.type): Envelope {
      const occurredAt = new Date().toISOString();
      const about = { aggregateId: id, aggregateVersion: 1, data: { text: 'forged' } };
      return { id, type, version: 1, occurredAt, ...about };
    }

    const signed = (keys = testProcessKeys('accounts'), queue = 'accounts') =>
      signBundle(keys, queue, [envelope(randomUUID()), envelope(randomUUID())], []);

    const FORGERIES: Array<[what: string, refusal: string, forge: () => Promise<unknown>]> = [
      [
        'is not signed',
        'it is not signed',
        async () => {
          const { rows } = await signed();
          return { rows };
        },
      ],
      [
        'is signed by a stranger',
        'it is signed with an unknown key',
        () => signed(strangeKeys('accounts')),
      ],
      [
        'was signed for another queue',
        'it was signed for another queue',
        () => signed(testProcessKeys('accounts'), 'payments'),
      ],
      [
        'has a job that was changed',
        'its jobs are not those that were signed',
        async () => {
          const { rows, ...bundle } = await signed();
          const [first, ...others] = rows;
          const worse = first?.text.replace('forged', 'worse');
          return { ...bundle, rows: [{ ...first, text: worse }, ...others] };
        },
      ],
      [
        'has a job of another bundle',
        'its jobs are not those that were signed',
        async () => {
          const [one, another] = await Promise.all([signed(), signed()]);
          return { ...one, rows: [...one.rows, ...another.rows] };
        },
      ],
      [
        'has no jobs',
        'its jobs are not those that were signed',
        async () => ({ ...(await signed()), rows: [] }),
      ],
    ];

    test.each(FORGERIES)('%s: it is refused', async (_what, refusal, forge) => {
      service.startWorker();
      const id = newBundleId(2);
      const data = await forge();
      await service.queues.queue('accounts').add('bundle', data, { jobId: id });
      await until('it failed', async () => {
        return (await service.queues.outcomeOf('accounts', id)).state === 'failed';
      });
      expect(await service.queues.outcomeOf('accounts', id)).toEqual({
        state: 'failed',
        reason: `The job was refused: ${refusal}`,
      });
      expect(service.effects).toEqual([]);
    });

    test('the jobs of a process that may not send them are refused one by one', async () => {
      service.startWorker();
      const envelopes = [envelope(randomUUID()), envelope(randomUUID())];
      const data = await signBundle(testProcessKeys('payments'), 'accounts', envelopes, []);
      const refused = async () => [
        sampleIn(
          await metricsText(),
          `fiado_jobs_total{queue="accounts",type="${greeted.type}",outcome="refused"}`,
        ),
      ];
      const counted = await increasesOf(refused, async () => {
        await service.queues.queue('accounts').add('bundle', data, { jobId: newBundleId(2) });
        for (const { id } of envelopes) await service.until(id, 'failed');
      });
      expect(counted).toEqual([2]);
      expect(await service.queues.outcomeOf('accounts', envelopes[0]?.id ?? '')).toEqual({
        state: 'failed',
        reason: 'The job was refused: payments does not send jobs of type greeted',
      });
      expect(service.effects).toEqual([]);
    });

    test('the rows of one that was changed in its queue are added again, each by itself', async () => {
      const ids = await appendAll(2);
      await service.relay();
      const [bundle] = await jobsOf('waiting');
      const data = bundle?.data as SignedBundle;
      const [first, second] = data.rows;
      await bundle?.updateData({ ...data, rows: [first, { ...second, text: '{}' }] });
      service.startWorker();
      await until('it is refused', async () => (await jobsOf('failed')).length === 1);
      expect(service.effects).toEqual([]);

      await sweepLater(ids);
      await service.relay();
      await untilAll(ids, 'completed');
      expect(service.effects.toSorted()).toEqual(texts(2));
    });
  });
});
