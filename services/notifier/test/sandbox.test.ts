import { randomUUID } from 'node:crypto';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import {
  codeJob,
  deliver,
  hurry,
  messageRow,
  sendAll,
  startNotifier,
  TWILIO,
  untilStatus,
  type Notifier,
} from './support/notifier';

let twilio: TwilioStandIn;
let notifier: Notifier;
beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  notifier = await startNotifier({
    ...TWILIO,
    TWILIO_API_BASE_URL: twilio.url,
  });
});
afterAll(async () => {
  await notifier.stop();
  await twilio.stop();
});

describe('a number of the sandbox', () => {
  test.each([
    ['+525500000001', 'sent', null],
    ['+525504213202', 'failed', 'SANDBOX'],
    ['+525500000004', 'failed', 'phone-cap'],
  ])('%s has an SMS that is %s', async (phone, status, reason) => {
    const id = await deliver(notifier, codeJob({ phone }));
    expect(await untilStatus(notifier, id, status)).toMatchObject({ status_reason: reason });
  });

  test('+525500000003 gets its SMS ten seconds late', async () => {
    const id = await deliver(notifier, codeJob({ phone: '+525500000003' }));
    const row = await messageRow(notifier, id);
    expect(row.status).toBe('pending');
    expect(Math.round(row.waits_ms / 1_000)).toBe(10);

    await hurry(notifier, id);
    await sendAll(notifier);
    await untilStatus(notifier, id, 'sent');
  });

  test('is never sent to the provider; other numbers are', async () => {
    await deliver(notifier, codeJob({ phone: '+525500000001' }));
    const before = twilio.posts.length;
    await deliver(notifier, codeJob({ phone: '+525512345678' }));
    expect(twilio.posts.length - before).toBe(1);
    expect(JSON.stringify(twilio.posts)).not.toContain('525500000001');
  });
});

describe('GET /v1/sandbox/messages', () => {
  const list = (caller: Parameters<Notifier['call']>[0], query = '') =>
    notifier.call(caller, 'GET', `/v1/sandbox/messages${query}`);

  test('lists only the SMS to the caller’s customers, with their text, also with Twilio', async () => {
    const [mine, other] = [wholesaler(), wholesaler()];
    const verificationId = randomUUID();
    const own = { wholesalerId: mine.id };
    const first = codeJob({ ...own, phone: '+525512345678', verificationId });
    await untilStatus(notifier, await deliver(notifier, first), 'sent');
    await deliver(notifier, codeJob({ ...own, phone: '+525500000002' }));
    await deliver(notifier, codeJob({ wholesalerId: other.id }));

    const { status, body } = await list(mine);
    expect(status).toBe(200);
    const message = {
      to: '+525512345678',
      body: expect.stringMatching(/^042137 es tu clave para confirmar tu pedido/) as string,
      template: 'order-code',
      channel: 'sms',
      status: 'sent',
      reason: null,
      verificationId,
      createdAt: expect.any(String) as string,
    };
    expect(body.messages).toEqual([
      {
        ...message,
        to: '+525500000002',
        status: 'failed',
        reason: 'SANDBOX',
        verificationId: null,
      },
      message,
    ]);
    for (const query of ['?phoneNumber=55%201234%205678', `?verificationId=${verificationId}`]) {
      expect((await list(mine, query)).body).toEqual({ messages: [message] });
      expect((await list(other, query)).body).toEqual({ messages: [] });
    }
  });

  test('refuses a bad query', async () => {
    expect((await list(wholesaler(), '?phoneNumber=1')).status).toBe(400);
    expect((await list(wholesaler(), '?verificationId=x')).status).toBe(400);
  });

  test('does not exist in production, where an SMS to such a number goes to the provider', async () => {
    const production = await startNotifier({
      ...TWILIO,
      TWILIO_API_BASE_URL: twilio.url,
      FIADO_MODE: 'production',
    });
    try {
      const answer = await production.call(
        wholesaler(),
        'GET',
        '/v1/sandbox/messages?phoneNumber=1',
      );
      expect([answer.status, answer.body.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
      const before = twilio.posts.length;
      await deliver(production, codeJob({ phone: '+525500000002' }));
      expect(twilio.posts.length - before).toBe(1);
    } finally {
      await production.stop();
    }
  });
});

describe('POST /v1/sandbox/replies', () => {
  test('is read as an SMS of a customer of the caller, and of nobody else', async () => {
    const [mine, other] = [wholesaler(), wholesaler()];
    const phone = '+525512340099';
    await deliver(notifier, codeJob({ wholesalerId: mine.id, phone }));
    const reply = (caller: Parameters<Notifier['call']>[0], text: string) =>
      notifier.call(caller, 'POST', '/v1/sandbox/replies', { body: { phoneNumber: phone, text } });
    const answers = [
      await reply(mine, 'No es mío'),
      await reply(mine, 'alto'),
      await reply(mine, 'Hola'),
    ];
    expect(answers.map(({ body }) => body)).toEqual([
      { readAs: 'deny' },
      { readAs: 'stop' },
      { readAs: 'other' },
    ]);
    const refused = await reply(other, 'NO');
    expect([refused.status, refused.body.errorCode]).toEqual([404, 'CORNER_STORE_NOT_FOUND']);
    expect(await notifier.outbox('order.denied')).toHaveLength(1);
    expect(await notifier.outbox('opposition.asked')).toHaveLength(1);
  });
});
