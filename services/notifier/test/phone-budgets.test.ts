import { randomUUID } from 'node:crypto';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { createTestSealer } from '@fiado/chassis/testing/sealed-columns';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import { codeJob, deliver, messageRow, startNotifier, type Notifier } from './support/notifier';

/** Of one phone in 24 hours: one wholesaler may use 6, and half of each is kept for order codes. */
const PER_PHONE = 8;
const PER_WHOLESALER = 6;

let notifier: Notifier;
let phones = 0;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier({ SMS_PER_PHONE_PER_DAY: String(PER_PHONE) });
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});

const newPhone = () => `+52551235${String((phones += 1)).padStart(4, '0')}`;

function jobOf(template: MessageTemplate, phone: string, wholesalerId: string): SendMessage {
  if (template === 'order-code') return Object.assign(codeJob({ phone }), { wholesalerId });
  const [row] = smsRows(createTestSealer(TEST_ENVIRONMENT.ENCRYPTION_KEY), {
    template,
    phone,
    unprovenBy: null,
    values: {
      code: '042137',
      word: 'limón',
      amountCents: 1,
      wholesaler: 'A',
      dueOn: '2026-12-07',
      reference: '80861056275',
      totalCents: 100,
      phoneMasked: '*0101',
    },
    wholesalerId,
    subjectId: randomUUID(),
    expiresAt: new Date(Date.now() + 600_000),
  });
  return row?.data as SendMessage;
}

/** Sends so many messages one after another. @returns the outcome of them, with how often */
async function send(
  count: number,
  template: MessageTemplate,
  phone: string,
  wholesalerId: string,
): Promise<string> {
  const outcomes = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    const id = await deliver(notifier, jobOf(template, phone, wholesalerId));
    const { status, status_reason: reason } = await messageRow(notifier, id);
    const outcome = reason ?? status;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ');
}

test('account codes of one wholesaler leave another its codes, words and account codes', async () => {
  const [attacker, neighbour, phone] = [randomUUID(), randomUUID(), newPhone()];
  expect(await send(10, 'verification-code', phone, attacker)).toBe(
    `${PER_WHOLESALER / 2} sent, 7 phone-and-wholesaler-cap`,
  );
  expect(await send(1, 'delivery-word', phone, neighbour)).toBe('1 sent');
  expect(await send(PER_PHONE / 2, 'order-code', phone, neighbour)).toBe('4 sent');
});

test.each<MessageTemplate>([
  'verification-code',
  'delivery-word',
  'delivered',
  'payment-overdue',
  'store-approved',
  'phone-changed',
])('messages of the kind %s leave half of the phone’s budget to order codes', async (template) => {
  const phone = newPhone();
  expect(await send(3, template, phone, randomUUID())).toBe('3 sent');
  expect(await send(3, template, phone, randomUUID())).toBe('1 sent, 2 phone-cap');
  expect(await send(4, 'order-code', phone, randomUUID())).toBe('4 sent');
  expect(await send(1, 'order-code', phone, randomUUID())).toBe('1 phone-cap');
});

test('order codes of one wholesaler leave a quarter of the budget to others', async () => {
  const [busy, neighbour, phone] = [randomUUID(), randomUUID(), newPhone()];
  expect(await send(9, 'order-code', phone, busy)).toBe('6 sent, 3 phone-and-wholesaler-cap');
  expect(await send(3, 'order-code', phone, neighbour)).toBe('2 sent, 1 phone-cap');
});

test('messages that wait for a phone at once are judged one after another', async () => {
  const [wholesalerId, phone] = [randomUUID(), newPhone()];
  const { context } = notifier;
  const jobs = [
    ...Array.from({ length: 20 }, () => jobOf('delivery-word', phone, wholesalerId)),
    ...Array.from({ length: 3 }, () => jobOf('order-code', phone, wholesalerId)),
  ];
  await Promise.all(jobs.map((job) => deliver(notifier, job)));
  const rows = await notifier.rows(
    `SELECT template, status, count(*) FROM messages WHERE wholesaler_id = $1
      GROUP BY template, status ORDER BY template, status`,
    [wholesalerId],
  );
  expect(context.sender.calls.size).toBe(0);
  expect(rows).toEqual([
    { template: 'delivery-word', status: 'failed', count: 17 },
    { template: 'delivery-word', status: 'sent', count: 3 },
    { template: 'order-code', status: 'sent', count: 3 },
  ]);
});

test('SMS_PER_PHONE_AND_WHOLESALER_PER_DAY is what one wholesaler may use', async () => {
  const strict = await startNotifier({
    SMS_PER_PHONE_PER_DAY: '8',
    SMS_PER_PHONE_AND_WHOLESALER_PER_DAY: '2',
  });
  const [wholesalerId, phone] = [randomUUID(), newPhone()];
  const outcomes: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const id = await deliver(strict, jobOf('order-code', phone, wholesalerId));
    outcomes.push((await messageRow(strict, id)).status);
  }
  await strict.stop();
  expect(outcomes).toEqual(['sent', 'sent', 'failed']);
});
