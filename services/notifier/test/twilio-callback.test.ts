import { randomUUID } from 'node:crypto';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { callback, service } from '@fiado/chassis/testing/callers';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import type { Caller } from '@fiado/contracts/caller';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import {
  codeJob,
  deliver,
  hurry,
  insertRow,
  messageRow,
  startNotifier,
  startNotifierWithTwilio,
  TWILIO,
  twoRounds,
  untilStatus,
  type Notifier,
} from './support/notifier';

const { PUBLIC_URL } = TWILIO;
const PREVIOUS = 'the-token-before';
let twilio: TwilioStandIn;
let notifier: Notifier;
let sids = 0;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio({ TWILIO_AUTH_TOKEN_PREVIOUS: PREVIOUS }));
});
afterAll(() => notifier.stop());
beforeEach(() => twilio.reset());

const newSid = () => `SM${String((sids += 1)).padStart(32, 'f')}`;
const pathOf = (messageId: string) => `/v1/callbacks/twilio/${messageId}`;

/** A callback as Twilio posts it: through the gateway. */
function post(
  messageId: string,
  form: Record<string, string>,
  {
    token = TWILIO.TWILIO_AUTH_TOKEN,
    headers = {},
    caller = callback('twilio'),
  }: { token?: string; headers?: Record<string, string>; caller?: Caller } = {},
) {
  const signed = getExpectedTwilioSignature(token, `${PUBLIC_URL}${pathOf(messageId)}`, form);
  return notifier.call(caller, 'POST', pathOf(messageId), {
    body: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signed,
      ...headers,
    },
  });
}

async function report(messageId: string, sid: string, status: string, code?: string) {
  const answer = await post(messageId, {
    AccountSid: TWILIO.TWILIO_ACCOUNT_SID,
    MessageSid: sid,
    MessageStatus: status,
    To: '+525512341234',
    ...(code === undefined ? {} : { ErrorCode: code }),
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
  return messageRow(notifier, messageId);
}

it('a callback that the token before signed is taken, and one that another token signed is not', async () => {
  const statusOf = async (token: string): Promise<number> => {
    const { id, sid: MessageSid } = await sent();
    return (await post(id, { MessageSid, MessageStatus: 'delivered' }, { token })).status;
  };
  expect(await statusOf(PREVIOUS)).toBe(204);
  expect(await statusOf('yet-another-token')).toBe(403);
});

it('a message that Twilio refused with our credential waits, and is sent once it is right', async () => {
  twilio.behaviours = [{ refuse: 401, code: 20003 }, { refuse: 404, code: 20404 }, 'accept'];
  const id = await deliver(notifier);
  expect(await messageRow(notifier, id)).toMatchObject({
    status: 'pending',
    status_reason: '20003',
  });
  await hurry(notifier, id);
  await twoRounds(notifier);
  expect(await messageRow(notifier, id)).toMatchObject({
    status: 'pending',
    status_reason: '20404',
  });
  await hurry(notifier, id);
  await untilStatus(notifier, id, 'sent');
});

/** A message that Twilio took. @returns its id and SID */
async function sent(): Promise<{ id: string; sid: string }> {
  const id = await deliver(notifier);
  return { id, sid: (await messageRow(notifier, id)).provider_sid ?? '' };
}

describe('a report on a sent message', () => {
  test('sets delivered, and a late "sent" does not change that', async () => {
    const { id, sid } = await sent();
    expect(twilio.posts[0]?.form.StatusCallback).toBe(`${PUBLIC_URL}${pathOf(id)}`);
    const before = await messageRow(notifier, id);
    expect(await report(id, sid, 'delivered')).toMatchObject({ status: 'delivered' });
    for (const late of ['sent', 'queued', 'undelivered', 'delivered']) {
      expect(await report(id, sid, late)).toMatchObject({
        status: 'delivered',
        status_reason: null,
        sent_at: before.sent_at,
      });
    }
  });

  test.each([
    ['undelivered', '30005', '30005'],
    ['failed', '30002', '30002'],
    ['undelivered', undefined, 'UNDELIVERED'],
  ])('sets the status %s with code %s', async (status, code, reason) => {
    const { id, sid } = await sent();
    const row = await report(id, sid, status, code);
    expect(row).toMatchObject({ status: 'failed', status_reason: reason });
    await report(id, sid, 'sent');
    await hurry(notifier, id);
    await twoRounds(notifier);
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'failed', attempts: 1 });
    expect(twilio.posts).toHaveLength(1);
  });

  test('changes nothing when its status is not known', async () => {
    const { id, sid } = await sent();
    expect(await report(id, sid, 'teleported')).toMatchObject({ status: 'sent' });
  });

  test('changes nothing under another SID', async () => {
    const { id } = await sent();
    expect(await report(id, newSid(), 'failed', '30005')).toMatchObject({ status: 'sent' });
    const other = await sent();
    const unknown = await insertRow(notifier, 'unknown');
    expect(await report(unknown, other.sid, 'delivered')).toMatchObject({ status: 'unknown' });
  });
});

describe('a report on a message that was perhaps sent', () => {
  test.each([
    ['queued', 'sent'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['undelivered', 'failed'],
  ])('settles it: %s makes it %s, with its SID', async (reported, status) => {
    twilio.behaviours = ['accept-then-500'];
    const id = await deliver(notifier);
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'unknown', provider_sid: null });
    const sid = newSid();
    expect(await report(id, sid, reported)).toMatchObject({ status, provider_sid: sid });
  });

  test('may come before the answer to the call, which then changes nothing', async () => {
    const { context } = notifier;
    const { provider } = context.sender;
    const sid = newSid();
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const send = (): Promise<{ sid: string }> => answered.then(() => ({ sid }));
    context.sender.provider = { name: 'slow', send, deleteCopy: async () => {} };
    const job = codeJob();
    const id = randomUUID();
    const delivery = notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    try {
      await untilStatus(notifier, id, 'sending');
      expect(await report(id, sid, 'delivered')).toMatchObject({ status: 'delivered' });
    } finally {
      context.sender.provider = provider;
      answer();
    }
    await delivery;
    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'delivered',
      provider_sid: sid,
      sealed: null,
    });
  });

  test('prevents a message that waits for a retry from being sent twice', async () => {
    twilio.behaviours = [{ refuse: 429, retryAfter: '60' }, 'accept'];
    const id = await deliver(notifier);
    expect(await report(id, newSid(), 'sent')).toMatchObject({ status: 'sent' });
    await hurry(notifier, id);
    await twoRounds(notifier);
    expect(twilio.posts).toHaveLength(1);
  });
});

describe('a callback that is not Twilio’s', () => {
  const form = { MessageSid: `SM${'e'.repeat(32)}`, MessageStatus: 'delivered' };

  test('is refused before anything, and changes nothing', async () => {
    const { id, sid } = await sent();
    const genuine = { ...form, MessageSid: sid };
    const answers = [
      await post(id, genuine, { token: 'another-token' }),
      await post(id, genuine, { headers: { 'x-twilio-signature': '' } }),
      await post(id, {}, { token: 'another-token' }),
      await post('no-uuid', genuine, { token: 'another-token' }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.errorCode]).toEqual([403, 'FORBIDDEN']);
    }
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'sent' });
  });

  test('is refused when it was signed for another message', async () => {
    const { id, sid } = await sent();
    const other = await sent();
    const headers = {
      'x-twilio-signature': getExpectedTwilioSignature(
        TWILIO.TWILIO_AUTH_TOKEN,
        `${PUBLIC_URL}${pathOf(other.id)}`,
        { ...form, MessageSid: sid },
      ),
    };
    const answer = await post(id, { ...form, MessageSid: sid }, { headers });
    expect(answer.status).toBe(403);
  });

  test('is refused if it did not come through the callback route, even if signed', async () => {
    const { id, sid } = await sent();
    const caller = service('gateway');
    expect((await post(id, { ...form, MessageSid: sid }, { caller })).status).toBe(403);
  });

  test('is no form: a 415, and a large one a 413', async () => {
    const json = await notifier.call(callback('twilio'), 'POST', pathOf(randomUUID()), {
      body: form,
    });
    expect(json.status).toBe(415);
    const large = await post(randomUUID(), { ...form, Body: 'x'.repeat(20_000) });
    expect(large.status).toBe(413);
  });
});

describe('a genuine callback', () => {
  const form = { MessageSid: `SM${'d'.repeat(32)}`, MessageStatus: 'delivered' };

  test('of no message is taken, so that it is not repeated', async () => {
    expect((await post(randomUUID(), form)).status).toBe(204);
  });

  test.each([
    [{ MessageStatus: 'delivered' }, 'MessageSid'],
    [{ ...form, MessageSid: '1' }, 'MessageSid'],
    [{ MessageSid: form.MessageSid }, 'MessageStatus'],
    [{ ...form, ErrorCode: 'x' }, 'ErrorCode'],
    [{ ...form, MessageStatus: 'x\0' }, 'MessageStatus'],
  ] as Array<[Record<string, string>, string]>)('that is not whole is a 400', async (bad, name) => {
    const answer = await post(randomUUID(), bad);
    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toContain(name);
  });
});

test('without a public https address there is no such route', async () => {
  const quiet = await startNotifier({ ...TWILIO, PUBLIC_URL: '' });
  const answer = await quiet.call(undefined, 'POST', pathOf(randomUUID()));
  expect([answer.status, answer.body.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
  await quiet.stop();
});
