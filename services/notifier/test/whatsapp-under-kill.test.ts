import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { endProcess } from '@fiado/chassis/testing/end-process';
import { refusalOfWhatsapp, type TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import {
  insertPending,
  receiptJob,
  startNotifierWithTwilio,
  TWILIO,
  WHATSAPP,
  type Notifier,
} from './support/notifier';
import { startProcessBeside } from './support/notifier-process';

const STORES = 240;
/** Messages of each channel that two processes have sent when they are killed; a third wait for their answer. */
const SENT = 20;
/** Each process takes seconds to start, on a busy machine many. */
const DEADLINE_MS = 180_000;

let twilio: TwilioStandIn;
/** Sends nothing itself. */
let notifier: Notifier;
let owner: Client;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio({
    ...WHATSAPP,
    NOTIFIER_ROLES: 'webhooks',
  }));
  owner = new Client({
    connectionString: notifier.ownerUrl,
    options: '-c search_path=notifier',
  });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await notifier.stop();
});

const startSender = () =>
  startProcessBeside(notifier, {
    ...TWILIO,
    ...WHATSAPP,
    FIADO_MODE: 'production',
    TWILIO_API_BASE_URL: twilio.url,
  });

const addresses = () => twilio.accepted.map(({ form }) => form.To ?? '');
const byWhatsapp = () => addresses().filter((to) => to.startsWith('whatsapp:'));
const bySms = () => addresses().filter((to) => !to.startsWith('whatsapp:'));

/** Two processes send by both channels and are killed with calls in the air. */
async function sendUntilKilled(): Promise<void> {
  let calls = 0;
  twilio.behaviourOf = (form) => {
    calls += 1;
    return refusalOfWhatsapp(form) ?? (calls % 3 === 0 ? 'accept-then-hang' : 'accept');
  };
  const victims = await Promise.all([startSender(), startSender()]);
  const areSending = () => Math.min(byWhatsapp().length, bySms().length) >= SENT;
  try {
    await until('they send', areSending, DEADLINE_MS);
  } finally {
    await Promise.all(victims.map((victim) => endProcess(victim)));
  }
  twilio.behaviourOf = refusalOfWhatsapp;
  // As if the half minute of their claims had passed.
  await owner.query(
    `UPDATE messages SET claimed_until = now() - interval '1 second' WHERE status = 'sending'`,
  );
}

const untilAllIsSent = () =>
  until(
    'the rest is sent',
    async () => {
      const { rowCount } = await owner.query(
        `SELECT FROM messages WHERE status IN ('pending', 'sending') OR sms_at <= now() LIMIT 1`,
      );
      return rowCount === 0;
    },
    DEADLINE_MS,
  );

test('with notifiers that die by kill -9 each is accepted at most once in each channel, and the SMS when it is late', async () => {
  const wholesalerId = randomUUID();
  const phones = Array.from({ length: STORES }, (_, at) => `+5255${10_000_000 + at}`);
  const late = new Map(phones.slice(0, STORES / 2).map((phone) => [phone, randomUUID()]));
  for (const phone of phones) {
    const id = late.get(phone) ?? randomUUID();
    await insertPending(owner, id, receiptJob({ phone, wholesalerId }));
  }
  await owner.query(`UPDATE messages SET channel = 'whatsapp', sms_at = expires_at`);
  // Nobody has reported anything of half of them for two hours.
  await owner.query(`UPDATE messages SET status = 'sent', sms_at = now() WHERE id = ANY ($1)`, [
    [...late.values()],
  ]);
  await sendUntilKilled();
  const last = await notifier.startOther({ NOTIFIER_ROLES: 'sms', NOTIFIER_PORT: 0 });
  await untilAllIsSent();
  expect(bySms().filter((to) => !late.has(to))).toEqual([]);
  // Nor of the others.
  await owner.query('UPDATE messages SET sms_at = now() WHERE sms_at IS NOT NULL');
  await untilAllIsSent();
  await last.stop();

  expect(new Set(addresses()).size).toBe(addresses().length);
  const { rows } = await owner.query<{ channel: string; stores: number }>(
    `SELECT coalesce(channel, 'sms') AS channel, count(*)::int AS stores FROM messages
      GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { channel: 'sms', stores: STORES },
    { channel: 'whatsapp', stores: STORES },
  ]);
  // Those that were being sent when their process died.
  const { rows: lost } = await owner.query<{ channels: number }>(
    `SELECT count(DISTINCT coalesce(channel, 'sms'))::int AS channels FROM messages
      WHERE status_reason = 'SENDER_LOST'`,
  );
  expect(lost).toEqual([{ channels: 2 }]);
}, 600_000);
