import { randomUUID } from 'node:crypto';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import {
  codeJob,
  deliver,
  hurry,
  insertRows,
  messageRow,
  nextMinute,
  startNotifierWithTwilio,
  twoRounds,
  untilStatus,
  type Notifier,
} from './support/notifier';

const PER_PHONE = 6;
const PER_WHOLESALER = 8;

let twilio: TwilioStandIn;
let notifier: Notifier;
let phones = 0;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio({
    SMS_PER_PHONE_PER_DAY: String(PER_PHONE),
    SMS_PER_WHOLESALER_PER_MINUTE: String(PER_WHOLESALER),
    SMS_COUNTRIES: '52,57',
  }));
});
afterAll(() => notifier.stop());
beforeEach(() => twilio.reset());

const newPhone = () => `+52551234${String((phones += 1)).padStart(4, '0')}`;

function statuses(ids: string[]) {
  return notifier.rows<{ status: string; status_reason: string | null; count: number }>(
    `SELECT status, status_reason, count(*) FROM messages WHERE id = ANY($1)
      GROUP BY status, status_reason ORDER BY status`,
    [ids],
  );
}

describe('the cap of a phone', () => {
  test('allows exactly its limit of concurrent calls', async () => {
    const phone = newPhone();
    const ids = await Promise.all(
      Array.from({ length: 30 }, () => deliver(notifier, codeJob({ phone }))),
    );
    expect(await statuses(ids)).toEqual([
      { status: 'failed', status_reason: 'phone-cap', count: 30 - PER_PHONE },
      { status: 'sent', status_reason: null, count: PER_PHONE },
    ]);
    expect(twilio.posts).toHaveLength(PER_PHONE);
  });

  test('fails without an attempt, is wiped, and another phone is not touched', async () => {
    const phone = newPhone();
    for (let count = 0; count < PER_PHONE; count += 1) await deliver(notifier, codeJob({ phone }));
    const id = await deliver(notifier, codeJob({ phone }));
    expect(await messageRow(notifier, id)).toMatchObject({
      status: 'failed',
      status_reason: 'phone-cap',
      attempts: 0,
      sealed: null,
    });
    const other = await deliver(notifier, codeJob({ phone: newPhone() }));
    expect(await messageRow(notifier, other)).toMatchObject({ status: 'sent' });
  });

  test('counts the last 24 hours, and a message that is tried again once', async () => {
    const phone = newPhone();
    const ids: string[] = [];
    for (let count = 0; count < PER_PHONE; count += 1) {
      ids.push(await deliver(notifier, codeJob({ phone })));
    }
    await notifier.rows(
      `UPDATE messages SET attempted_at = now() - interval '25 hours' WHERE id = $1`,
      [ids[0]],
    );
    twilio.behaviours = [{ refuse: 429 }, 'accept'];
    const again = await deliver(notifier, codeJob({ phone }));
    expect(await messageRow(notifier, again)).toMatchObject({ status: 'pending' });
    await hurry(notifier, again);
    await untilStatus(notifier, again, 'sent');
    const beyond = await deliver(notifier, codeJob({ phone }));
    expect(await messageRow(notifier, beyond)).toMatchObject({ status_reason: 'phone-cap' });
  });
});

describe('the cap of a wholesaler', () => {
  /** A wholesaler whose minute has not come yet, so that no test sees it end. */
  const newWholesaler = async (): Promise<string> => {
    const wholesalerId = randomUUID();
    await notifier.rows(
      `INSERT INTO claims_of_minute (wholesaler_id, minute, claimed)
       VALUES ($1, date_trunc('minute', now()) + interval '1 minute', 0)`,
      [wholesalerId],
    );
    return wholesalerId;
  };
  const jobOf = (wholesalerId: string) =>
    Object.assign(codeJob({ phone: newPhone() }), { wholesalerId });

  test('allows exactly its limit in a minute, and the others wait for the next minute', async () => {
    const wholesalerId = await newWholesaler();
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => deliver(notifier, jobOf(wholesalerId))),
    );
    await twoRounds(notifier);
    expect(await statuses(ids)).toEqual([
      { status: 'pending', status_reason: null, count: 20 - PER_WHOLESALER },
      { status: 'sent', status_reason: null, count: PER_WHOLESALER },
    ]);
    expect(twilio.posts).toHaveLength(PER_WHOLESALER);

    await nextMinute(notifier);
    expect(await statuses(ids)).toEqual([
      { status: 'pending', status_reason: null, count: 20 - 2 * PER_WHOLESALER },
      { status: 'sent', status_reason: null, count: 2 * PER_WHOLESALER },
    ]);
  });

  test('does not hold a message beyond its time', async () => {
    const wholesalerId = await newWholesaler();
    for (let count = 0; count < PER_WHOLESALER; count += 1) {
      await deliver(notifier, jobOf(wholesalerId));
    }
    const id = randomUUID();
    const job = jobOf(wholesalerId);
    job.expiresAt = new Date(Date.now() + 1_000).toISOString();
    await notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    expect(await untilStatus(notifier, id, 'expired')).toMatchObject({
      status_reason: 'wholesaler-cap',
      attempts: 0,
    });
  });

  test('does not touch messages of no wholesaler', async () => {
    const ids = await Promise.all(
      Array.from({ length: PER_WHOLESALER + 4 }, async () => {
        const job = codeJob({ phone: newPhone() });
        delete job.wholesalerId;
        return deliver(notifier, job);
      }),
    );
    expect(await statuses(ids)).toMatchObject([{ status: 'sent', count: ids.length }]);
  });
});

test('a country that is not on the list gets nothing, one that is does', async () => {
  const refused = await deliver(notifier, codeJob({ phone: '+15005550006' }));
  expect(await messageRow(notifier, refused)).toMatchObject({
    status: 'failed',
    status_reason: 'country-not-allowed',
    sealed: null,
  });
  expect(twilio.posts).toEqual([]);
  const sent = await deliver(notifier, codeJob({ phone: '+573001234567' }));
  expect(await messageRow(notifier, sent)).toMatchObject({ status: 'sent' });
});

test('an iteration of the sender respects the cap of a phone', async () => {
  const ids = await insertRows(notifier, PER_PHONE + 3, 'pending');
  await twoRounds(notifier);
  expect(await statuses(ids)).toMatchObject([
    { status: 'failed', count: 3 },
    { status: 'sent', count: PER_PHONE },
  ]);
});
