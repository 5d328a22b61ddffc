import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sendMessage } from '@fiado/shared/contracts/jobs/send-message';
import { deleteOldMessages } from '../src/use-cases/delete-old-messages';
import { codeJob, deliver, insertRow, startNotifier, type Notifier } from './support/notifier';

/** Places of a worker (chassis/jobs/queue-settings.ts). */
const PLACES = 10;
const RED_WITHIN_MS = 15_000;
const GREEN_WITHIN_MS = 8_000;

let notifier: Notifier;

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier();
});
afterAll(async () => {
  await notifier.stop();
  vi.restoreAllMocks();
});

const get = (path: string) => notifier.call(undefined, 'GET', path);

async function untilReady(status: number, withinMs: number): Promise<number> {
  const startedAt = Date.now();
  while ((await get('/health/ready')).status !== status) {
    if (Date.now() - startedAt > withinMs) throw new Error(`Not ${status} within ${withinMs} ms`);
    await sleep(100);
  }
  return Date.now() - startedAt;
}

describe('readiness', () => {
  test('stays while an idle worker takes its canaries', async () => {
    await sleep(13_000);
    const { status, body } = await get('/health/ready');
    expect([status, body.checks]).toEqual([
      200,
      { database: 'ok', queues: 'ok', worker: 'ok', clock: 'ok' },
    ]);
    const counts = await notifier.context.queues.queue('notifier').getJobCounts('completed');
    expect(counts).toEqual({ completed: 0 });
  });

  test('goes when handlers that never return hold all places, and comes back', async () => {
    const { context } = notifier;
    const { sms } = context;
    let held = 0;
    let allAreHeld: () => void = () => {};
    const full = new Promise<void>((resolve) => (allAreHeld = resolve));
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    context.sms = {
      name: 'hanging',
      send: ({ messageId }) => {
        held += 1;
        if (held === PLACES) allAreHeld();
        return released.then(() => ({ sid: messageId }));
      },
    };
    // More than there are places: the sender's own round may be faster than some of the jobs.
    const deliveries = Array.from({ length: 2 * PLACES }, () => {
      const job = codeJob();
      return notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, randomUUID());
    });
    const done = Promise.allSettled(deliveries);
    try {
      await full;
      await untilReady(503, RED_WITHIN_MS);
      const { body } = await get('/health/ready');
      expect(body.checks).toEqual({ database: 'ok', queues: 'ok', worker: 'failed', clock: 'ok' });
      expect((await get('/health/live')).status).toBe(200);
    } finally {
      context.sms = sms;
      release();
    }
    await untilReady(200, GREEN_WITHIN_MS);
    await done;
  });
});

describe('/metrics', () => {
  test('tells jobs, messages, queue, outbox and pool', async () => {
    await deliver(notifier);
    const { text } = await get('/metrics');
    for (const line of [
      /^fiado_jobs_total\{queue="notifier",type="send-message",outcome="done"\} \d+$/m,
      /^fiado_sms_total\{template="order-code",outcome="sent",error_class="none"\} \d+$/m,
      /^fiado_sms_oldest_due_seconds 0$/m,
      /^fiado_queue_oldest_waiting_seconds\{queue="notifier"\} [\d.]+$/m,
      /^fiado_queue_jobs\{queue="notifier",state="waiting"\} \d+$/m,
      /^fiado_outbox_jobs\{schema="notifier",state="waiting"\} 0$/m,
      /^fiado_outbox_jobs\{schema="notifier",state="dead"\} 0$/m,
      /^fiado_outbox_oldest_waiting_seconds\{schema="notifier"\} 0$/m,
      /^fiado_database_pool_connections\{schema="notifier",state="used"\} \d+$/m,
    ]) {
      expect(text).toMatch(line);
    }
    expect(text).not.toContain('type="canary"');
  });
});

describe('messages older than 90 days', () => {
  test('are deleted with their attempts; younger ones and those not over stay', async () => {
    const old = await deliver(notifier);
    const young = await deliver(notifier);
    const pending = await insertRow(notifier, 'sending', { claimed: '1 hour' });
    await notifier.rows(
      `UPDATE messages SET created_at = now() - interval '91 days' WHERE id = ANY($1)`,
      [[old, pending]],
    );
    await notifier.rows(
      `UPDATE messages SET created_at = now() - interval '89 days' WHERE id = $1`,
      [young],
    );
    expect(await deleteOldMessages(notifier.context)).toBe(false);
    const left = await notifier.rows<{ id: string }>('SELECT id FROM messages WHERE id = ANY($1)', [
      [old, young, pending],
    ]);
    expect(left.map(({ id }) => id).toSorted()).toEqual([young, pending].toSorted());
    expect(
      await notifier.rows('SELECT FROM message_attempts WHERE message_id = $1', [old]),
    ).toEqual([]);
  });
});
