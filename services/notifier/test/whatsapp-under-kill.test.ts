import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import { endProcess } from '@fiado/chassis/testing/end-process';
import { refusalOfWhatsapp, TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { notifierSchema } from '../src/db/schema';
import { insertPending, receiptJob, TWILIO, WHATSAPP } from './support/notifier';
import { startNotifierProcess } from './support/notifier-process';

const STORES = 300;
/** Messages that two processes have sent when they are killed, of which a third wait for their answer. */
const SENT = 40;
/** Each process takes seconds to start, on a busy machine many. */
const DEADLINE_MS = 180_000;

let twilio: TwilioStandIn;
let database: TestDatabase;
let owner: Client;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  database = await createTestDatabase(notifierSchema);
  owner = new Client({ connectionString: database.ownerUrl, options: '-c search_path=notifier' });
  await owner.connect();
});
afterAll(async () => {
  for (const one of processes) await endProcess(one);
  await owner.end();
  await database.drop();
  await twilio.stop();
});

async function start(): Promise<ChildProcess> {
  const notifier = await startNotifierProcess({
    ...database.environment,
    ...TWILIO,
    ...WHATSAPP,
    FIADO_MODE: 'production',
    TWILIO_API_BASE_URL: twilio.url,
    NOTIFIER_PORT: '0',
  });
  processes.push(notifier);
  return notifier;
}

/** Two processes send and are killed with calls in the air; then one sends what is left. */
async function sendUnderKill(): Promise<void> {
  let calls = 0;
  twilio.behaviourOf = (form) => {
    calls += 1;
    return refusalOfWhatsapp(form) ?? (calls % 3 === 0 ? 'accept-then-hang' : 'accept');
  };
  const before = twilio.accepted.length;
  const victims = await Promise.all([start(), start()]);
  const areSending = () => twilio.accepted.length >= before + SENT;
  await until('they send', areSending, DEADLINE_MS);
  await Promise.all(victims.map((victim) => endProcess(victim)));
  twilio.behaviourOf = refusalOfWhatsapp;
  // As if the half minute of their claims had passed.
  await owner.query(
    `UPDATE messages SET claimed_until = now() - interval '1 second' WHERE status = 'sending'`,
  );
  const last = await start();
  const isOver = async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM messages WHERE status IN ('pending', 'sending') OR sms_at <= now()`,
    );
    return rowCount === 0;
  };
  await until('the rest is sent', isOver, DEADLINE_MS);
  await endProcess(last);
}

test('with notifiers that die by kill -9 each is accepted at most once in each channel, and the SMS when it is late', async () => {
  const wholesalerId = randomUUID();
  for (let at = 0; at < STORES; at += 1) {
    const phone = `+5255${10_000_000 + at}`;
    await insertPending(owner, randomUUID(), receiptJob({ phone, wholesalerId }));
  }
  await owner.query(`UPDATE messages SET channel = 'whatsapp', sms_at = expires_at`);
  await sendUnderKill();
  const addresses = () => twilio.accepted.map(({ form }) => form.To ?? '');
  expect(addresses().filter((to) => !to.startsWith('whatsapp:'))).toEqual([]);
  // Nobody reports anything for two hours.
  await owner.query('UPDATE messages SET sms_at = now() WHERE sms_at IS NOT NULL');
  await sendUnderKill();

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
