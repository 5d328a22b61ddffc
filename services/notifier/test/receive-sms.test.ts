import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { callback } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import {
  insertRow,
  messageRow,
  startNotifierWithTwilio,
  TWILIO,
  untilStatus,
  type Notifier,
} from './support/notifier';

const PATH = '/v1/callbacks/twilio/inbound';
const FROM = '+525512341234';

describe('an SMS that a store sends', () => {
  let notifier: Notifier;
  beforeAll(async () => {
    ({ notifier } = await startNotifierWithTwilio());
  });
  afterAll(() => notifier.stop());

  function post(
    form: Record<string, string>,
    {
      token = TWILIO.TWILIO_AUTH_TOKEN,
      signed = form,
    }: { token?: string; signed?: Record<string, string> } = {},
  ): Promise<Answer> {
    const url = `${TWILIO.PUBLIC_URL}${PATH}`;
    return notifier.call(callback('twilio'), 'POST', PATH, {
      body: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': getExpectedTwilioSignature(token, url, signed),
      },
    });
  }
  const sms = (Body: string) => ({ MessageSid: `SM${'a'.repeat(32)}`, From: FROM, To: '+1', Body });
  const asked = async (): Promise<object[]> =>
    (await notifier.outbox('opposition.asked')).map(({ queue, data }) => ({ queue, ...data }));

  it('asks accounts, by an index of the phone, for no reminders or for reminders again', async () => {
    const phoneIndex = notifier.context.sealer.blindIndex(FROM, PHONE_PURPOSE).toString('base64');
    for (const word of ['ALTO', 'baja', 'Alta.']) {
      expect((await post(sms(word))).status).toBe(204);
    }
    expect(await asked()).toEqual([
      { queue: 'accounts', phoneIndex, opposes: true },
      { queue: 'accounts', phoneIndex, opposes: true },
      { queue: 'accounts', phoneIndex, opposes: false },
    ]);
  });

  it('passes on that a word came by WhatsApp, which has the numbers of before 2019', async () => {
    const before = await asked();
    const From = 'whatsapp:+5215512341234';
    expect((await post({ ...sms('ALTO'), From })).status).toBe(204);
    const phoneIndex = notifier.context.sealer.blindIndex(FROM, PHONE_PURPOSE).toString('base64');
    const word = { queue: 'accounts', phoneIndex, opposes: true, byWhatsapp: true };
    expect(await asked()).toEqual([...before, word]);
  });

  it('by WhatsApp, ALTO lets a message that waits for WhatsApp go by SMS', async () => {
    const id = await insertRow(notifier, 'expired');
    await notifier.rows(
      `UPDATE messages SET status = 'pending', channel = 'whatsapp', sms_at = expires_at,
                           next_attempt_at = expires_at WHERE id = $1`,
      [id],
    );
    await post(sms('ALTO'));
    await post({ ...sms('ALTA'), From: `whatsapp:${FROM}` });
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'pending' });
    await post({ ...sms('ALTO'), From: `whatsapp:${FROM}` });
    expect(await untilStatus(notifier, id, 'expired')).toMatchObject({
      status_reason: 'SMS_FOLLOWS',
    });
  });

  it('says that the store of the phone denies an order, and which one', async () => {
    const phoneIndex = notifier.context.sealer.blindIndex(FROM, PHONE_PURPOSE).toString('base64');
    for (const word of ['No es mío.', 'no 2']) {
      expect((await post(sms(word))).status).toBe(204);
    }
    const denied = await notifier.outbox('order.denied');
    const smsId = sms('').MessageSid;
    expect(denied.map(({ queue, data }) => ({ queue, ...data }))).toEqual([
      { queue: 'accounts', phoneIndex, smsId },
      { queue: 'accounts', phoneIndex, smsId, choice: 2 },
    ]);
  });

  it('asks for nothing where it is no such word, or not Twilio’s', async () => {
    const before = await asked();
    expect((await post(sms('¿Cuánto debo?'))).status).toBe(204);
    const forged = [
      await post(sms('ALTO'), { token: 'another-token' }),
      await post(sms('ALTO'), { signed: sms('ALTA') }),
      await post({ ...sms('ALTO'), From: '+525500000000' }, { signed: sms('ALTO') }),
    ];
    for (const { status, body } of forged)
      expect([status, body.errorCode]).toEqual([403, 'FORBIDDEN']);
    expect((await post({ Body: 'ALTO' })).status).toBe(400);
    expect(await asked()).toEqual(before);
  });
});
