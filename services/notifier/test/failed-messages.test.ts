import { randomUUID } from 'node:crypto';
import { wholesaler } from '@fiado/chassis/testing/callers';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import type { FiadoEvent } from '@fiado/contracts/events';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import { recordDeliveryStatus } from '../src/messages/receive-twilio-callback';
import { settleLapsedMessages } from '../src/messages/settle-lapsed-messages';
import {
  codeJob,
  deliver,
  messageRow,
  startNotifierWithTwilio,
  type Notifier,
} from './support/notifier';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';

let services: PublishingServices;
let twilio: TwilioStandIn;
let notifier: Notifier;
let phones = 0;

beforeAll(async () => {
  services = await startPublishingServices();
  ({ notifier, twilio } = await startNotifierWithTwilio({
    ...services.environment,
    SMS_PER_PHONE_PER_DAY: '1',
  }));
});
afterAll(async () => {
  await notifier.stop();
  await services.stop();
});
beforeEach(() => twilio.reset());

async function watching(): Promise<string> {
  const caller = wholesaler();
  const body = { enabled: true };
  expect((await notifier.call(caller, 'PUT', '/v1/events/settings', { body })).status).toBe(200);
  return caller.id;
}

/** A code to a phone of its own, so that no budget of a phone is shared. */
function jobOf(wholesalerId: string): SendMessage {
  phones += 1;
  return codeJob({ wholesalerId, phone: `+52551234${String(phones).padStart(4, '0')}` });
}

/** The data of message.failed. */
interface FailedMessage {
  messageId: string;
  status: string;
  reason: string;
}

async function eventsOf(wholesalerId: string): Promise<Array<FiadoEvent<FailedMessage>>> {
  const { body } = await notifier.call(wholesaler(wholesalerId), 'GET', '/v1/events');
  return body.events;
}

/** Waits until all events that the outbox has are stored, then lists those of the wholesaler. */
async function settledEventsOf(wholesalerId: string): Promise<Array<FiadoEvent<FailedMessage>>> {
  await until('each event of the outbox is stored', async () => {
    const open = await notifier.rows(
      `SELECT FROM outbox WHERE type = 'announce-event'
          AND NOT EXISTS (SELECT FROM events WHERE events.id = outbox.id)`,
    );
    return open.length === 0;
  });
  return eventsOf(wholesalerId);
}

/** A message whose SMS Twilio has taken. */
async function sent(job: SendMessage): Promise<{ messageId: string; sid: string }> {
  const messageId = await deliver(notifier, job);
  return { messageId, sid: (await messageRow(notifier, messageId)).provider_sid as string };
}

const newSid = () => `SM${randomUUID().replaceAll('-', '')}`;

describe('message.failed', () => {
  test('tells of an SMS that the provider refuses, without its phone number', async () => {
    const wholesalerId = await watching();
    twilio.behaviours = [{ refuse: 400, code: 21_211 }];
    const job = jobOf(wholesalerId);
    const messageId = await deliver(notifier, job);

    const events = await settledEventsOf(wholesalerId);
    expect(events).toMatchObject([
      {
        type: 'message.failed',
        data: {
          messageId,
          template: 'order-code',
          status: 'failed',
          reason: '21211',
          subjectId: job.subjectId,
          version: 1,
        },
      },
    ]);
    expect(Object.keys(events[0]?.data ?? {})).toHaveLength(6);
  });

  test('tells of one that the network does not deliver, however often that is reported', async () => {
    const wholesalerId = await watching();
    const { messageId, sid } = await sent(jobOf(wholesalerId));
    expect(await settledEventsOf(wholesalerId)).toEqual([]);
    const report = { messageId, sid, messageStatus: 'undelivered', errorCode: '30003' };
    await Promise.all([1, 2, 3].map(() => recordDeliveryStatus(notifier.context, report)));
    expect(await settledEventsOf(wholesalerId)).toMatchObject([
      { data: { messageId, status: 'failed', reason: '30003' } },
    ]);
  });

  test('tells of one that is over the budget of its phone', async () => {
    const wholesalerId = await watching();
    const phone = '+525587654321';
    await deliver(notifier, codeJob({ wholesalerId, phone }));
    const messageId = await deliver(notifier, codeJob({ wholesalerId, phone }));
    expect(await settledEventsOf(wholesalerId)).toMatchObject([
      { data: { messageId, status: 'failed', reason: 'phone-cap' } },
    ]);
  });

  test('tells once of one that may have been sent, whatever is reported later', async () => {
    const wholesalerId = await watching();
    twilio.behaviours = ['accept-then-500'];
    const messageId = await deliver(notifier, jobOf(wholesalerId));
    const sid = newSid();
    for (const messageStatus of ['sent', 'undelivered']) {
      await recordDeliveryStatus(notifier.context, { messageId, sid, messageStatus });
    }
    expect(await messageRow(notifier, messageId)).toMatchObject({ status: 'failed' });
    expect(await settledEventsOf(wholesalerId)).toMatchObject([
      { data: { messageId, status: 'unknown', reason: '20500' } },
    ]);
  });

  test('tells of one that expired, and of one whose sender was lost', async () => {
    const wholesalerId = await watching();
    twilio.behaviours = [{ refuse: 429, retryAfter: '60' }];
    const expired = await deliver(notifier, jobOf(wholesalerId));
    const lost = await deliver(notifier, jobOf(wholesalerId));
    await notifier.rows('UPDATE messages SET expires_at = now() WHERE id = $1', [expired]);
    await notifier.rows(
      `UPDATE messages SET status = 'sending', claimed_until = now() - interval '1 second'
        WHERE id = $1`,
      [lost],
    );
    await settleLapsedMessages(notifier.context);
    const events = await settledEventsOf(wholesalerId);
    expect(Object.fromEntries(events.map(({ data }) => [data.messageId, data]))).toMatchObject({
      [expired]: { status: 'expired', reason: 'HTTP_429' },
      [lost]: { status: 'unknown', reason: 'SENDER_LOST' },
    });
  });

  test('is for wholesalers alone that switched events on, and commits with the message', async () => {
    const wholesalerId = await watching();
    const off = { body: { enabled: false } };
    await notifier.call(wholesaler(wholesalerId), 'PUT', '/v1/events/settings', off);
    twilio.behaviours = [{ refuse: 400, code: 21_211 }];
    const stranger = randomUUID();
    await deliver(notifier, jobOf(wholesalerId));
    await deliver(notifier, jobOf(stranger));
    const watcher = await watching();
    await expect(
      notifier.context.db.transaction(async (tx) => {
        await tx.connection.query(
          `INSERT INTO messages (id, template, wholesaler_id, subject_id, phone_index, phone_masked,
                                 expires_at)
           VALUES ($1, 'order-code', $2, $1, '', '', now() + interval '1 hour')`,
          [randomUUID(), watcher],
        );
        await tx.connection.query(
          `/* test */ UPDATE messages SET status = 'failed' WHERE wholesaler_id = $1`,
          [watcher],
        );
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    for (const id of [wholesalerId, stranger, watcher]) {
      expect(await settledEventsOf(id)).toEqual([]);
    }
  });
});
