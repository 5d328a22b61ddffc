import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addJob } from '@fiado/chassis/testing/service';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import {
  codeJob,
  deliver,
  hurry,
  impatientTwilio,
  insertRow,
  messageRow,
  PHONE,
  startNotifierWithTwilio,
  TWILIO,
  twoRounds,
  untilStatus,
  type Notifier,
} from './support/notifier';

let twilio: TwilioStandIn;
let notifier: Notifier;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio());
});
afterAll(() => notifier.stop());
beforeEach(() => twilio.reset());

function attemptsOf(id: string) {
  return notifier.rows(
    `SELECT number, outcome, http_status, provider_code, finished_at >= started_at AS in_order
       FROM message_attempts WHERE message_id = $1 ORDER BY number`,
    [id],
  );
}

describe('an accepted message', () => {
  test('is sent with the provider, its SID and one attempt, and is wiped in production', async () => {
    const id = await deliver(notifier);

    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'sent',
      status_reason: null,
      provider: 'twilio',
      provider_sid: expect.stringMatching(/^SM/),
      attempts: 1,
      sealed: null,
      sent_at: expect.any(Date),
    });
    expect(await attemptsOf(id)).toEqual([
      { number: 1, outcome: 'sent', http_status: null, provider_code: null, in_order: true },
    ]);
    expect(twilio.posts).toHaveLength(1);
    expect(twilio.posts[0]?.form).toMatchObject({
      To: PHONE,
      From: TWILIO.TWILIO_FROM,
      Body: expect.stringMatching(/^042137 es tu clave .* \$1,250\.00 con Abarrotes del Norte\./),
    });
  });

  test('is sent once if its job is delivered twenty times in parallel', async () => {
    const id = randomUUID();
    const job = codeJob();
    const jobIds = Array.from({ length: 20 }, (_, copy) => `${id}-r${copy}`);
    const adding = jobIds.map((jobId) =>
      addJob(notifier.context.queues, 'notifier', {
        id,
        type: sendMessage.type,
        version: 1,
        occurredAt: new Date().toISOString(),
        aggregateId: job.subjectId,
        aggregateVersion: 1,
        data: job,
        producer: 'transactions',
        opts: { jobId },
      }),
    );
    await Promise.all(adding);
    for (const jobId of jobIds) {
      while ((await notifier.context.queues.outcomeOf('notifier', jobId)).state !== 'completed') {
        await sleep(10);
      }
    }

    await untilStatus(notifier, id, 'sent');
    expect(twilio.posts).toHaveLength(1);
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(await notifier.rows('SELECT FROM messages WHERE id = $1', [id])).toHaveLength(1);
  });
});

describe('a message that was certainly not sent', () => {
  test('outlives a storm of 429 and is accepted once', async () => {
    twilio.behaviours = [
      ...Array.from({ length: 4 }, () => ({ refuse: 429, code: 20429 }) as const),
      'accept',
    ];
    const id = await deliver(notifier);
    const refused = await messageRow(notifier, id);
    expect(refused).toMatchObject({ status: 'pending', status_reason: '20429', attempts: 1 });
    expect(refused.sealed).not.toBeNull();
    expect(refused.waits_ms).toBeGreaterThanOrEqual(500);
    expect(refused.waits_ms).toBeLessThanOrEqual(1_000);

    while ((await messageRow(notifier, id)).status !== 'sent') {
      await hurry(notifier, id).catch(() => {});
      await sleep(50);
    }
    expect(twilio.accepted).toHaveLength(1);
    expect(await attemptsOf(id)).toMatchObject([
      ...Array.from({ length: 4 }, () => ({ outcome: 'pending', http_status: 429 })),
      { number: 5, outcome: 'sent' },
    ]);
  });

  test('waits as long as Retry-After asks', async () => {
    twilio.behaviours = [{ refuse: 429, retryAfter: '120' }];
    const id = await deliver(notifier);
    const row = await messageRow(notifier, id);
    expect(row).toMatchObject({ status: 'pending', status_reason: 'HTTP_429' });
    expect(Math.round(row.waits_ms)).toBe(120_000);
  });

  test('waits for a provider that cannot be reached, and is sent when it can', async () => {
    const { context } = notifier;
    const { provider } = context.sender;
    const gone = await TwilioStandIn.start();
    context.sender.provider = impatientTwilio(gone.url);
    await gone.stop();
    const id = await deliver(notifier);
    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'pending',
      status_reason: 'NOT_REACHED',
    });

    context.sender.provider = provider;
    await untilStatus(notifier, id, 'sent');
    expect(twilio.accepted).toHaveLength(1);
  });

  test('is not sent any more once it expired', async () => {
    const id = await insertRow(notifier, 'pending', { expires: '-1 second' });
    const row = await untilStatus(notifier, id, 'expired');
    expect(row).toMatchObject({ status_reason: 'EXPIRED', sealed: null, attempts: 0 });

    const late = await deliver(notifier, codeJob({ livesMs: -1 }));
    await untilStatus(notifier, late, 'expired');
    expect(twilio.posts).toEqual([]);
  });

  test('fails with the error code of the provider', async () => {
    twilio.behaviours = [{ refuse: 400, code: 21211 }];
    const id = await deliver(notifier);
    await hurry(notifier, id);
    await twoRounds(notifier);

    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'failed',
      status_reason: '21211',
      sealed: null,
    });
    expect(await attemptsOf(id)).toMatchObject([
      { outcome: 'failed', http_status: 400, provider_code: '21211' },
    ]);
    expect(twilio.posts).toHaveLength(1);
  });

  test('fails without a call when its envelope does not open', async () => {
    const sealed = Buffer.from('sealed by nobody').toString('base64');
    const id = await deliver(notifier, codeJob({ sealed }));
    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'failed',
      status_reason: 'ENVELOPE_UNREADABLE',
      sealed: null,
    });
    expect(twilio.posts).toEqual([]);
  });

  test('is sent by the rounds when the process died between its row and its claim', async () => {
    const id = await insertRow(notifier, 'pending');
    await untilStatus(notifier, id, 'sent');
    expect(twilio.accepted).toHaveLength(1);
  });
});
