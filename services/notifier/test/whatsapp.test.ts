import { randomUUID } from 'node:crypto';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { refusalOfWhatsapp, type TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { personErase } from '@fiado/contracts/jobs/privacy';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { deleteOldMessages } from '../src/messages/delete-old-messages';
import { followBySms } from '../src/messages/follow-by-sms';
import { recordDeliveryStatus } from '../src/messages/receive-twilio-callback';
import {
  deliver,
  impatientTwilio,
  receiptJob,
  sendAll,
  startNotifier,
  startNotifierWithTwilio,
  TWILIO,
  WHATSAPP,
  type Notifier,
} from './support/notifier';

const WHOLESALER = randomUUID();

let notifier: Notifier;
let twilio: TwilioStandIn;
beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio(WHATSAPP));
});
afterAll(() => notifier.stop());
beforeEach(() => twilio.reset());

let phones = 0;
const newPhone = () => `+5255${String(10_000_000 + (phones += 1))}`;

const receipt = (more: Partial<Parameters<typeof receiptJob>[0]> = {}) =>
  receiptJob({ phone: newPhone(), wholesalerId: WHOLESALER, ...more });

/** What Twilio accepted for a phone, by channel. */
const acceptedOf = (phone: string) =>
  twilio.accepted
    .filter(({ form }) => form.To?.endsWith(phone))
    .map(({ form }) => (form.To === phone ? 'sms' : 'whatsapp'));

/** A status callback, as Twilio repeats it. */
async function report(messageId: string, messageStatus: string, errorCode?: string): Promise<void> {
  const sids = twilio.posts.filter((post) => post.messageId === messageId).map(({ sid }) => sid);
  const sid = sids.at(-1) ?? `SM${'0'.repeat(32)}`;
  for (let times = 0; times < 2; times += 1) {
    await recordDeliveryStatus(notifier.context, { messageId, sid, messageStatus, errorCode });
  }
}

/** The SMS of messages that have failed, or are late, are made and sent. Two processes would do it at the same time. */
async function follow(): Promise<void> {
  await Promise.all([followBySms(notifier.context), followBySms(notifier.context)]);
  await sendAll(notifier);
}

/** Two hours pass for WhatsApp messages that nothing was heard of. */
async function twoHoursLater(): Promise<void> {
  await notifier.rows(
    `UPDATE messages SET sms_at = sms_at - interval '2 hours' WHERE sms_at IS NOT NULL`,
  );
  await follow();
}

const rowOf = async (id: string) =>
  (
    await notifier.rows<Record<string, unknown>>(
      `SELECT status, status_reason, channel, sms_at IS NOT NULL AS owes_sms, sealed IS NOT NULL AS is_sealed
         FROM messages WHERE id = $1`,
      [id],
    )
  )[0];

test('a message goes by WhatsApp with the variables of its template, and is over when it is delivered', async () => {
  const phone = newPhone();
  const id = await deliver(notifier, receipt({ phone }));
  const [post] = twilio.posts;
  expect(post?.form).toEqual({
    To: `whatsapp:${phone}`,
    From: 'whatsapp:+525500000099',
    ContentSid: expect.stringMatching(/^HX/),
    ContentVariables: '{"1":"$500.00","2":"Ya no debes nada"}',
    ValidityPeriod: '7200',
    StatusCallback: `${TWILIO.PUBLIC_URL}/v1/callbacks/twilio/${id}`,
  });
  await report(id, 'sent');
  expect(await rowOf(id)).toMatchObject({ status: 'sent', owes_sms: true, is_sealed: true });
  await report(id, 'delivered');
  await twoHoursLater();
  expect(await rowOf(id)).toMatchObject({ status: 'delivered', owes_sms: false, is_sealed: false });
  expect(acceptedOf(phone)).toEqual(['whatsapp']);
});

test('without consent, for another kind of message or for an unknown number it is an SMS', async () => {
  const phone = newPhone();
  await deliver(notifier, receipt({ phone, byWhatsapp: false }));
  await deliver(notifier, Object.assign(receipt({ phone }), { template: 'payment-reversed' }));
  expect(acceptedOf(phone)).toEqual(['sms', 'sms']);
});

test.each([
  ['failed', '63016'],
  ['undelivered', '63049'],
])(
  'an SMS follows one that is %s, once, and a later report changes nothing',
  async (status, code) => {
    const phone = newPhone();
    const id = await deliver(notifier, receipt({ phone }));
    await report(id, status, code);
    await follow();
    expect(acceptedOf(phone)).toEqual(['whatsapp', 'sms']);
    await report(id, 'delivered');
    await twoHoursLater();
    expect(acceptedOf(phone)).toEqual(['whatsapp', 'sms']);
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      status_reason: code,
      is_sealed: false,
    });
    const { body } = await notifier.call(ops(), 'POST', '/v1/admin/messages/search', {
      body: { phoneNumber: phone },
    });
    expect(body.messages).toMatchObject([
      { channel: 'sms', follows: id, status: 'sent', attemptLog: [{ outcome: 'sent' }] },
      { channel: 'whatsapp', follows: null, status: 'failed', attemptLog: [{ outcome: 'sent' }] },
    ]);
  },
);

test('an SMS follows one that is late, and a report that it arrived after all is kept', async () => {
  const phone = newPhone();
  const id = await deliver(notifier, receipt({ phone }));
  await follow();
  expect(acceptedOf(phone)).toEqual(['whatsapp']);
  await twoHoursLater();
  await report(id, 'delivered');
  await twoHoursLater();
  expect(acceptedOf(phone)).toEqual(['whatsapp', 'sms']);
  expect(await rowOf(id)).toMatchObject({ status: 'delivered' });
});

test('an SMS follows one that Twilio takes later, and then it does not go by WhatsApp', async () => {
  const phone = newPhone();
  twilio.behaviours = [{ refuse: 429, code: 20429, retryAfter: '3000' }, 'accept'];
  const id = await deliver(notifier, receipt({ phone }));
  expect(await rowOf(id)).toMatchObject({ status: 'pending', owes_sms: true });
  await twoHoursLater();
  await notifier.rows('UPDATE messages SET next_attempt_at = now() WHERE id = $1', [id]);
  await sendAll(notifier);
  expect(acceptedOf(phone)).toEqual(['sms']);
  expect(await rowOf(id)).toMatchObject({ status: 'expired', status_reason: 'SMS_FOLLOWS' });
});

test('no SMS follows after the message has expired', async () => {
  const phone = newPhone();
  const id = await deliver(notifier, receipt({ phone }));
  await notifier.rows('UPDATE messages SET expires_at = now() WHERE id = $1', [id]);
  await report(id, 'failed', '63016');
  await twoHoursLater();
  expect(acceptedOf(phone)).toEqual(['whatsapp']);
  expect(await rowOf(id)).toMatchObject({ status: 'failed', owes_sms: false, is_sealed: false });
});

test('a number that WhatsApp does not know gets SMS for 30 days', async () => {
  const phone = newPhone();
  twilio.behaviours = [{ refuse: 400, code: 63024 }, 'accept'];
  await deliver(notifier, receipt({ phone }));
  await follow();
  await deliver(notifier, receipt({ phone }));
  expect(acceptedOf(phone)).toEqual(['sms', 'sms']);
  await notifier.rows(
    `UPDATE numbers_without_whatsapp SET found_at = found_at - interval '30 days'`,
  );
  await deleteOldMessages(notifier.context);
  expect(await notifier.rows('SELECT FROM numbers_without_whatsapp')).toEqual([]);
  await deliver(notifier, receipt({ phone }));
  expect(acceptedOf(phone)).toEqual(['sms', 'sms', 'whatsapp']);
});

test('a WhatsApp message and its SMS are two in the budget of the phone, beyond which neither goes', async () => {
  const phone = newPhone();
  // One wholesaler has 15 messages of the phone's day, of which half are kept for codes.
  for (let sent = 0; sent < 5; sent += 1) {
    await report(await deliver(notifier, receipt({ phone })), 'failed', '63016');
    await follow();
  }
  expect(acceptedOf(phone)).toHaveLength(7);
  const refused = await notifier.rows(
    `SELECT channel, status, sms_at FROM messages WHERE status_reason = 'phone-and-wholesaler-cap'
        AND phone_index = $1 ORDER BY created_at`,
    [Buffer.from(receipt({ phone }).phoneIndex, 'base64')],
  );
  expect(refused).toEqual([
    { channel: null, status: 'failed', sms_at: null },
    { channel: 'whatsapp', status: 'failed', sms_at: null },
  ]);
});

test('a block ends a WhatsApp message that waits for its report: no SMS follows', async () => {
  const phone = newPhone();
  const job = receipt({ phone });
  const id = await deliver(notifier, job);
  await notifier.rows('INSERT INTO numbers_without_whatsapp (phone_index) VALUES ($1)', [
    Buffer.from(job.phoneIndex, 'base64'),
  ]);
  const person = { erasureId: randomUUID(), userId: randomUUID(), cornerStoreId: randomUUID() };
  for (const phase of ['block', 'suppress'] as const) {
    const found = { phase, phoneIndexes: [job.phoneIndex], objectIds: [], nameKey: '' };
    const aggregate = { id: person.erasureId, version: phase === 'block' ? 1 : 2 };
    await notifier.deliver(personErase, aggregate, { ...person, ...found });
    await report(id, 'failed', '63016');
    await twoHoursLater();
    expect(acceptedOf(phone)).toEqual(['whatsapp']);
  }
  expect(await notifier.rows('SELECT FROM numbers_without_whatsapp')).toEqual([]);
});

test('a sandbox shows both, and takes what nobody reports for delivered', async () => {
  const { WHATSAPP_FROM, WHATSAPP_TEMPLATES } = WHATSAPP;
  const sandbox = await startNotifier({ WHATSAPP_FROM, WHATSAPP_TEMPLATES });
  await deliver(sandbox, receipt({ phone: '+525500000002' }));
  await deliver(sandbox, receipt());
  await sandbox.rows(`UPDATE messages SET sms_at = now() WHERE sms_at IS NOT NULL`);
  await followBySms(sandbox.context);
  await sendAll(sandbox);
  const { body } = await sandbox.call(wholesaler(WHOLESALER), 'GET', '/v1/sandbox/messages');
  const shown = body.messages.map((one: Record<string, unknown>) =>
    [one.channel, one.status, one.to === '+525500000002', one.body].join(),
  );
  const text =
    'Recibimos tu pago de $500.00. Gracias. Ya no debes nada. Financiera de Prueba 55 5555 0100';
  expect(shown.toSorted()).toEqual([
    `sms,failed,true,${text}`,
    `whatsapp,failed,true,${text}`,
    `whatsapp,sent,false,${text}`,
  ]);
  await sandbox.stop();
});

test('while WhatsApp does not answer, SMS go on, and follow at once', async () => {
  notifier.context.sender.provider = withImpatience();
  twilio.behaviourOf = ({ To }) =>
    To?.startsWith('whatsapp:') === true ? 'accept-then-500' : undefined;
  const before = Array.from({ length: 5 }, () => receipt());
  for (const job of before) await deliver(notifier, job);
  const phone = newPhone();
  const id = await deliver(notifier, receipt({ phone }));
  await follow();
  expect(await rowOf(id)).toMatchObject({ status: 'failed', status_reason: 'PROVIDER_AWAY' });
  expect(acceptedOf(phone)).toEqual(['sms']);
});

/** The provider of the settings, with less patience. */
function withImpatience() {
  return impatientTwilio(twilio.url, {
    callbackBaseUrl: TWILIO.PUBLIC_URL,
    whatsappSender: { from: `whatsapp:${WHATSAPP.WHATSAPP_FROM}` },
  });
}

describe('240 messages and two notifiers', () => {
  /** It takes seconds; beside other tests, where calls are slower than time-outs, some minutes. */
  const untilBusy = (what: string, isSo: () => boolean | Promise<boolean>) =>
    until(what, isSo, 180_000);
  /** Jobs at a time, as a worker has. A lane refuses what has waited for five seconds, as the last of 1,000 may. */
  const AT_ONCE = 64;
  /** What becomes of the WhatsApp message to a phone. */
  const FATES = ['delivered', 'silence', '63016', '63024', 'no-answer', '429'] as const;
  const fateOf = (phone: string) => FATES[Number(phone.slice(-6)) % FATES.length];

  test('each gets at most one by each channel, and an SMS where WhatsApp did not deliver, within its time', async () => {
    const settings = await startNotifierWithTwilio(WHATSAPP);
    await notifier.stop();
    ({ notifier, twilio } = settings);
    const other = await notifier.startOther({ NOTIFIER_PORT: 0 });
    const tried = new Set<string>();
    twilio.behaviourOf = (form) => {
      const { To = '' } = form;
      if (!To.startsWith('whatsapp:')) return undefined;
      const fate = fateOf(To);
      const isFirst = !tried.has(To);
      tried.add(To);
      if (fate === '63024') return { refuse: 400, code: 63024 };
      if (fate === 'no-answer') return 'accept-then-reset';
      if (fate === '429' && isFirst) return { refuse: 429, code: 20429 };
      return refusalOfWhatsapp(form) ?? 'accept';
    };
    const all = Array.from({ length: 240 }, () => newPhone());
    const ids = new Map(all.map((phone) => [phone, randomUUID()]));
    await inFlight(
      all.map((phone) => () => {
        const [job, id] = [receipt({ phone }), ids.get(phone) ?? ''];
        return notifier.handle(sendMessage, { id: job.subjectId, version: 1 }, job, id);
      }),
      AT_ONCE,
    );
    await untilBusy('all were tried', async () => {
      await notifier.rows(
        `UPDATE messages SET next_attempt_at = now()
          WHERE id IN (SELECT id FROM messages WHERE status = 'pending' FOR UPDATE SKIP LOCKED)`,
      );
      const open = `SELECT FROM messages WHERE status IN ('pending', 'sending')`;
      return (await notifier.rows(open)).length === 0;
    });
    // On a busy machine a call may end without an answer before Twilio has taken it.
    const taken = new Set(twilio.accepted.map(({ form }) => form.To));
    const isTaken = (phone: string) => taken.has(`whatsapp:${phone}`);
    for (const phone of all.filter(isTaken)) {
      const [fate, id] = [fateOf(phone), ids.get(phone) ?? ''];
      if (fate === '63016') await report(id, 'failed', fate);
      if (fate === 'delivered' || fate === '429') await report(id, 'delivered');
    }
    const channelsOf = () => {
      const channels = new Map(all.map((phone) => [phone, [] as string[]]));
      for (const { form } of twilio.accepted) {
        const [phone = '', channel] = form.To?.split(':').toReversed() ?? [];
        channels.get(phone)?.push(channel ?? 'sms');
      }
      return channels;
    };
    const withFate = (...fates: string[]) =>
      all.filter((phone) => fates.includes(fateOf(phone) ?? ''));
    const haveSms = (phones: string[]) => {
      const channels = channelsOf();
      return phones.every((phone) => channels.get(phone)?.includes('sms'));
    };
    const failed = new Set(
      (await notifier.rows(`SELECT id FROM messages WHERE status = 'failed'`)).map(({ id }) => id),
    );
    await untilBusy('those that failed are followed', async () => {
      await follow();
      return haveSms(all.filter((phone) => failed.has(ids.get(phone))));
    });
    // Where several calls in a row had no answer, WhatsApp was not called for the next ones, and the SMS followed at once.
    const early = [...channelsOf()].filter(
      ([phone, channels]) => channels.length > 1 && !withFate('63016').includes(phone),
    );
    expect(early).toEqual([]);
    await twoHoursLater();
    const delivered = new Set(withFate('delivered', '429').filter(isTaken));
    await untilBusy('the late ones are followed', () =>
      haveSms(all.filter((phone) => !delivered.has(phone))),
    );
    await other.stop();

    const got = channelsOf();
    const kinds = (...fates: string[]) =>
      new Set(withFate(...fates).map((phone) => got.get(phone)?.join()));
    const allowed = (found: Set<string | undefined>, ...kinds: string[]) =>
      [...found].filter((one) => !kinds.includes(one ?? ''));
    expect(allowed(kinds('delivered', '429'), 'whatsapp', 'sms')).toEqual([]);
    expect(allowed(kinds('silence', 'no-answer', '63016'), 'whatsapp,sms', 'sms')).toEqual([]);
    expect([...kinds('63024')]).toEqual(['sms']);
    // A message that Twilio takes at its second try may find the breaker open.
    for (const fate of FATES.filter((one) => !['63024', '429'].includes(one))) {
      expect(withFate(fate).some((phone) => got.get(phone)?.[0] === 'whatsapp')).toBe(true);
    }
  }, 600_000);
});
