import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import { startTestService } from '@fiado/chassis/testing/service';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { until } from '@fiado/chassis/testing/until';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { deleteOldMessages } from '../src/messages/delete-old-messages';
import { settleLapsedMessages } from '../src/messages/settle-lapsed-messages';
import { NotifierConfig } from '../src/config';
import { notifierService } from '../src/service';
import { codeJob, deliver, insertRow, sendAll, type Notifier } from './support/notifier';

/** A worker that shows no life for so long is stuck. */
const SILENCE_MS = 3_000;
const IDLE_MS = SILENCE_MS + 500;
/** So often a canary shows life. */
const CANARY_MS = 500;
/** Places of a worker (libs/shared/chassis/src/jobs/queue-settings.ts). */
const PLACES = 10;
let notifier: Notifier;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startTestService(notifierService, NotifierConfig, {
    timing: { ...TEST_TIMING, canary: CANARY_MS, workerSilence: SILENCE_MS },
  });
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});

const get = (path: string) => notifier.call(undefined, 'GET', path);

async function checks(): Promise<[status: number, checks: Record<string, string>]> {
  const { status, body } = await get('/health/ready');
  return [status, body.checks];
}

const untilWorker = (outcome: 'ok' | 'failed') =>
  until(
    `the check of the worker is ${outcome}`,
    async () => (await checks())[1].worker === outcome,
  );

describe('the check of the worker', () => {
  test('passes while an idle worker takes its canaries', async () => {
    await sleep(IDLE_MS);
    const all = { database: 'ok', queues: 'ok', worker: 'ok', clock: 'ok', progress: 'ok' };
    expect(await checks()).toEqual([200, all]);
    const counts = await notifier.context.queues.queue('notifier').getJobCounts('completed');
    expect(counts).toEqual({ completed: 0 });
  });

  test('fails while handlers that never return hold all places; requests are still served', async () => {
    const { context } = notifier;
    let held = 0;
    let allAreHeld: () => void = () => {};
    const full = new Promise<void>((resolve) => (allAreHeld = resolve));
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const add = context.sender.newMessages.add.bind(context.sender.newMessages);
    const adding = jest.spyOn(context.sender.newMessages, 'add').mockImplementation((message) => {
      held += 1;
      if (held === PLACES) allAreHeld();
      return released.then(() => add(message));
    });
    const deliveries = Array.from({ length: PLACES }, () => {
      const job = codeJob();
      return notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, randomUUID());
    });
    const done = Promise.allSettled(deliveries);
    try {
      await full;
      await sleep(SILENCE_MS);
      await untilWorker('failed');
      const others = { database: 'ok', queues: 'ok', clock: 'ok', progress: 'ok' };
      expect(await checks()).toEqual([200, { ...others, worker: 'failed' }]);
      const { text } = await get('/metrics');
      expect(sampleIn(text, 'fiado_ready')).toBe(1);
      expect(sampleIn(text, 'fiado_health_check_ok{check="worker"}')).toBe(0);
    } finally {
      adding.mockRestore();
      release();
    }
    await untilWorker('ok');
    await done;
  });
});

describe('/metrics', () => {
  test('exports jobs, messages, queue, outbox and pool', async () => {
    const job = codeJob();
    await notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job);
    await sendAll(notifier);
    let text = '';
    // On a busy machine the look at the queue may miss its deadline; the next one has it.
    await until('the queue is in the metrics', async () => {
      ({ text } = await get('/metrics'));
      return text.includes('fiado_queue_oldest_waiting_seconds{queue="notifier"}');
    });
    for (const line of [
      /^fiado_jobs_total\{queue="notifier",type="send-message",outcome="done"\} \d+$/m,
      /^fiado_sms_total\{template="order-code",outcome="sent",error_class="none"\} \d+$/m,
      /^fiado_sms_oldest_due_seconds [\d.]+$/m,
      /^fiado_sms_oldest_pending_seconds [\d.]+$/m,
      /^fiado_sms_waiting\{reason="wholesaler-cap"\} 0$/m,
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

  test('counts a WhatsApp message whose sender was lost as one, and not as an SMS', async () => {
    const id = await deliver(notifier);
    const labels = 'template="payment-received",outcome="unknown",error_class="other"';
    const lost = async () => {
      const { text } = await get('/metrics');
      return ['whatsapp', 'sms'].map((name) => sampleIn(text, `fiado_${name}_total{${labels}}`));
    };
    const settle = async () => {
      await notifier.rows(
        `UPDATE messages SET template = 'payment-received', channel = 'whatsapp', status = 'sending',
                claimed_until = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      await settleLapsedMessages(notifier.context);
    };
    expect(await increasesOf(lost, settle)).toEqual([1, 0]);
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
    // The phone has other messages, so its row stays until the last of them goes.
    const phones = () => notifier.rows('SELECT FROM phone_claims');
    expect(await phones()).toHaveLength(1);
    await notifier.rows(
      `UPDATE messages SET created_at = now() - interval '91 days', status = 'sent',
                           claimed_until = NULL`,
    );
    await deleteOldMessages(notifier.context);
    expect(await phones()).toEqual([]);
  });
});
