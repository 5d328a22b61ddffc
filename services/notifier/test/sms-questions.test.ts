import { randomUUID } from 'node:crypto';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { codeJob, deliver, startNotifier, type Notifier } from './support/notifier';

const PER_PHONE = 4;
const CAP = 3;

let notifier: Notifier;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier({
    SMS_PER_PHONE_PER_DAY: String(PER_PHONE),
    SMS_PER_WHOLESALER_PER_MINUTE: String(CAP),
  });
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});

async function hasBudget(question: object): Promise<boolean> {
  const { status, body } = await notifier.call(
    service('transactions'),
    'POST',
    '/internal/sms-budget',
    { body: { template: 'order-code', lifeSeconds: 600, ...question } },
  );
  expect(status).toBe(200);
  return body.allowed;
}

async function statusOf(subjectId: string): Promise<string | null> {
  const { body } = await notifier.call(service('transactions'), 'POST', '/internal/sms-status', {
    body: { subjectId, template: 'order-code' },
  });
  return body.status;
}

test('a budget is there until the claim of one more SMS would refuse it', async () => {
  const { phoneIndex } = codeJob({ phone: '+525512360001' });
  const [one, another] = [randomUUID(), randomUUID()];
  for (let n = 0; n < 3; n += 1) {
    expect(await hasBudget({ phoneIndex, wholesalerId: one })).toBe(true);
    await deliver(
      notifier,
      Object.assign(codeJob({ phone: '+525512360001' }), { wholesalerId: one }),
    );
  }
  expect(await hasBudget({ phoneIndex, wholesalerId: one })).toBe(false);
  expect(await hasBudget({ phoneIndex, wholesalerId: another })).toBe(true);
  const word = { phoneIndex, wholesalerId: another, template: 'delivery-word' };
  expect(await hasBudget(word)).toBe(true);
});

test('there is none if the SMS would expire behind the cap', async () => {
  const { phoneIndex } = codeJob({ phone: '+525512360002' });
  const wholesalerId = randomUUID();
  await notifier.rows(
    `INSERT INTO messages (id, template, wholesaler_id, subject_id, phone_index, phone_masked,
                           expires_at)
     SELECT gen_random_uuid(), 'order-code', $1, gen_random_uuid(), int4send(n), '***',
            now() + interval '1 hour' FROM generate_series(1, 35) n`,
    [wholesalerId],
  );
  expect(await hasBudget({ phoneIndex, wholesalerId })).toBe(false);
  expect(await hasBudget({ phoneIndex, wholesalerId, lifeSeconds: 3_600 })).toBe(true);
  expect(await hasBudget({ phoneIndex, wholesalerId: randomUUID() })).toBe(true);
});

test('the status is that of the newest SMS of the kind, or null', async () => {
  const job = codeJob({ phone: '+525512360003' });
  expect(await statusOf(job.subjectId)).toBeNull();
  const first = await deliver(notifier, job);
  expect(await statusOf(job.subjectId)).toBe('sent');
  await notifier.rows(
    `UPDATE messages SET status = 'failed', created_at = now() - interval '1 minute' WHERE id = $1`,
    [first],
  );
  expect(await statusOf(job.subjectId)).toBe('failed');
  const second = await deliver(notifier, job);
  await notifier.rows(
    `UPDATE messages SET status = 'sending', claimed_until = now() + interval '1 minute'
      WHERE id = $1`,
    [second],
  );
  expect(await statusOf(job.subjectId)).toBe('pending');
});

test('only services may call it', async () => {
  for (const path of ['/internal/sms-budget', '/internal/sms-status']) {
    const { status } = await notifier.call(wholesaler(), 'POST', path, { body: {} });
    expect(status).toBe(403);
  }
});
