import { randomUUID } from 'node:crypto';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import {
  codeJob,
  deliver,
  hurry,
  impatientTwilio,
  insertRow,
  messageRow,
  startNotifierWithTwilio,
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

describe('a message that was perhaps sent', () => {
  test.each([
    ['accept-then-500', '20500'],
    ['accept-then-reset', 'NO_ANSWER'],
    ['accept-then-nonsense', 'NO_ANSWER'],
  ] as const)('is unknown after %s, and never sent again', async (behaviour, reason) => {
    twilio.behaviours = [behaviour, 'accept'];
    const id = await deliver(notifier);
    await hurry(notifier, id);
    await twoRounds(notifier);

    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'unknown',
      status_reason: reason,
      provider_sid: null,
      sealed: expect.any(Buffer),
      attempts: 1,
    });
    expect(twilio.posts).toHaveLength(1);
  });

  test('is unknown when the provider hangs past the time-out', async () => {
    const { context } = notifier;
    const { provider } = context.sender;
    context.sender.provider = impatientTwilio(twilio.url);
    twilio.behaviours = ['accept-then-hang', 'accept'];
    try {
      const id = await deliver(notifier);
      await hurry(notifier, id);
      await twoRounds(notifier);
      expect(await messageRow(notifier, id)).toMatchObject({
        status: 'unknown',
        status_reason: 'NO_ANSWER',
      });
    } finally {
      context.sender.provider = provider;
    }
    expect(twilio.accepted).toHaveLength(1);
  });

  test('is unknown when its sender died after the claim', async () => {
    const id = await insertRow(notifier, 'sending', { claimed: '-1 second' });
    const row = await untilStatus(notifier, id, 'unknown');
    expect(row).toMatchObject({ status_reason: 'SENDER_LOST', sealed: expect.any(Buffer) });
    await hurry(notifier, id);
    await twoRounds(notifier);
    expect(twilio.posts).toEqual([]);
  });

  test('is left alone while its sender still has time', async () => {
    const id = await insertRow(notifier, 'sending', { claimed: '20 seconds' });
    await twoRounds(notifier);
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'sending' });
    expect(twilio.posts).toEqual([]);
  });

  test('becomes sent when the answer arrives after its claim expired', async () => {
    const { context } = notifier;
    const { provider } = context.sender;
    let accept: () => void = () => {};
    const accepted = new Promise<void>((resolve) => (accept = resolve));
    context.sender.provider = {
      name: 'slow',
      deleteCopy: async () => {},
      send: async ({ messageId }) => {
        await accepted;
        return { sid: `late-${messageId}` };
      },
    };
    const job = codeJob();
    const id = randomUUID();
    const delivery = notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    try {
      await untilStatus(notifier, id, 'sending');
      await notifier.rows('UPDATE messages SET claimed_until = now() WHERE id = $1', [id]);
      await untilStatus(notifier, id, 'unknown');
    } finally {
      context.sender.provider = provider;
      accept();
    }
    await delivery;
    expect(await untilStatus(notifier, id, 'sent')).toMatchObject({ provider_sid: `late-${id}` });
  });
});
