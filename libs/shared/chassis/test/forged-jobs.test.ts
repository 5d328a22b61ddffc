import { randomUUID } from 'node:crypto';
import { signEnvelope } from '../src/jobs/signed-envelope';
import { metricsText } from '../src/metrics';
import { increasesOf, sampleIn } from '../src/testing/metrics';
import { strangeKeys, testProcessKeys } from '../src/testing/process-keys';
import {
  BACKENDS,
  greeted,
  startOutboxService,
  type OutboxService,
} from './support/outbox-service';

describe.each(BACKENDS)('with queues in %s', (_backend, redisUrl) => {
  let service: OutboxService;
  beforeAll(async () => {
    service = await startOutboxService(redisUrl);
    service.startWorker();
  });
  afterAll(() => service.stop());

  /** Writes into the queue past Fiado's own code, and waits for what the worker makes of it. */
  async function add(id: string, name: string, data: unknown): Promise<void> {
    await service.queues.queue('accounts').addBulk([{ name, data, opts: { jobId: id } }]);
    await service.until(id, 'failed');
  }

  async function refused(): Promise<number[]> {
    const text = await metricsText();
    return [greeted.type, 'unknown'].map((type) =>
      sampleIn(text, `fiado_jobs_total{queue="accounts",type="${type}",outcome="refused"}`),
    );
  }

  function envelope(id: string, type = greeted.type) {
    const occurredAt = new Date().toISOString();
    const about = { aggregateId: id, aggregateVersion: 1, data: { text: 'forged' } };
    return { id, type, version: 1, occurredAt, ...about };
  }

  /**
   * Jobs that an attacker with access to the queues could write, with or without the key of one
   * process.
   */
  const FORGERIES: Array<[what: string, refusal: string, forge: (id: string) => unknown]> = [
    ['is not signed', 'it is not signed', (id) => envelope(id)],
    [
      'is signed by a stranger',
      'it is signed with an unknown key',
      (id) => signEnvelope(strangeKeys('accounts'), 'accounts', envelope(id)),
    ],
    [
      'is signed by a process that does not send such jobs',
      'payments does not send jobs of type greeted',
      (id) => signEnvelope(testProcessKeys('payments'), 'accounts', envelope(id)),
    ],
    [
      'is signed by the gateway, which sends no jobs',
      'gateway does not send jobs of type greeted',
      (id) => signEnvelope(testProcessKeys('gateway'), 'accounts', envelope(id)),
    ],
    [
      'was signed for another queue',
      'it was signed for another queue',
      (id) => signEnvelope(testProcessKeys('accounts'), 'payments', envelope(id)),
    ],
    [
      'was changed after it was signed',
      'its signature is not valid',
      async (id) => {
        const signed = await signEnvelope(testProcessKeys('accounts'), 'accounts', envelope(id));
        return { ...signed, text: signed.text.replace('forged', 'worse') };
      },
    ],
  ];

  test.each(FORGERIES)('a job that %s is a dead letter at once', async (_what, refusal, forge) => {
    const id = randomUUID();
    const data = await forge(id);
    expect(await increasesOf(refused, () => add(id, greeted.type, data))).toEqual([1, 0]);
    expect(await service.queues.outcomeOf('accounts', id)).toEqual({
      state: 'failed',
      reason: `The job was refused: ${refusal}`,
    });
    // Of the eight that every job has.
    expect((await service.queues.queue('accounts').getJob(id))?.attemptsMade).toBe(1);
    expect(service.effects).toEqual([]);
  });

  test('a forged job does not choose the labels of metrics', async () => {
    const id = randomUUID();
    const adding = () => add(id, `made-up-${id}`, envelope(id));
    expect(await increasesOf(refused, adding)).toEqual([0, 1]);
  });
});
