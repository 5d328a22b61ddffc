import { randomUUID } from 'node:crypto';
import { newId } from '@fiado/contracts/new-id';
import {
  claimMessages,
  insertMessages,
  type ClaimMessages,
} from '../src/messages/claim-messages.sql';
import { MessageSender } from '../src/messages/message-sender';
import { settleLapsedMessages } from '../src/messages/settle-lapsed-messages';
import { codeJob, sendAll, startNotifier, type Notifier } from './support/notifier';

const CAP = 30;
const PER_PHONE = 6;

let notifier: Notifier;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier({
    SMS_PER_WHOLESALER_PER_MINUTE: String(CAP),
    SMS_PER_PHONE_PER_DAY: String(PER_PHONE),
  });
  // The tests claim: the sender's own rounds would be one claimer more.
  await notifier.context.sender.loop.stop();
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});
beforeEach(async () => {
  await notifier.rows(
    `UPDATE messages SET status = 'expired', claimed_until = NULL
      WHERE status IN ('pending', 'sending')`,
  );
  // The cap counts in minutes of the clock: a test must not see one end.
  const msLeft = 60_000 - (Date.now() % 60_000);
  if (msLeft < 10_000) await new Promise((resolve) => setTimeout(resolve, msLeft + 100));
});

/** Messages of one wholesaler, each a millisecond after the one before. @returns their ids */
async function insert(
  count: number,
  { wholesalerId = randomUUID(), phone = (_n: number): string => randomUUID() } = {},
): Promise<string[]> {
  const { sealed, subjectId } = codeJob();
  const ids = Array.from({ length: count }, newId);
  await notifier.rows(
    `INSERT INTO messages (id, template, wholesaler_id, subject_id, phone_index, phone_masked,
                           sealed, expires_at, next_attempt_at)
     SELECT id, 'order-code', $2, $3, convert_to(phone, 'UTF8'), '***', decode($4, 'base64'),
            now() + interval '10 minutes', now() - interval '1 second' + n * interval '1 ms'
       FROM unnest($1::uuid[], $5::text[]) WITH ORDINALITY AS message (id, phone, n)`,
    [ids, wholesalerId, subjectId, sealed, ids.map((_id, n) => phone(n))],
  );
  await notifier.rows(`INSERT INTO claims_of_minute VALUES ($1, now(), 0) ON CONFLICT DO NOTHING`, [
    wholesalerId,
  ]);
  return ids;
}

/** ctid, xmin and xmax, which show whether a row was written or locked since. */
function versions(status: string): Promise<Array<{ id: string }>> {
  return notifier.rows(
    'SELECT id, ctid::text, xmin::text, xmax::text FROM messages WHERE status = $1 ORDER BY next_attempt_at, id',
    [status],
  );
}

async function passMinute(): Promise<void> {
  await notifier.rows(
    `UPDATE claims_of_minute SET minute = minute - interval '1 minute',
                                 full_minute = full_minute - interval '1 minute'`,
  );
}

const CLAIM = {
  claimId: '00000000-0000-4000-8000-000000000001',
  provider: 'console',
  limit: 40,
  perPhone: PER_PHONE,
  perPhoneAndWholesaler: PER_PHONE,
  perWholesaler: CAP,
};

function claim(over: Partial<ClaimMessages> = {}) {
  return claimMessages(notifier.context.db, { ...CLAIM, wipe: false, ...over });
}

/** A wholesaler that has had messages before. */
async function newWholesaler(): Promise<string> {
  const wholesalerId = randomUUID();
  await insert(0, { wholesalerId });
  return wholesalerId;
}

/** The message of a job, of another phone each time. */
function newMessage(wholesalerId: string, phone: string = randomUUID()) {
  const job = codeJob({ wholesalerId });
  job.phoneIndex = Buffer.from(phone).toString('base64');
  return { id: newId(), requestId: undefined, traceparent: undefined, job };
}

function store(messages: Array<ReturnType<typeof newMessage>>, over: Partial<ClaimMessages> = {}) {
  return insertMessages(notifier.context.db, messages, { ...CLAIM, ...over });
}

describe('messages behind their wholesaler’s cap', () => {
  test('are neither written nor locked until their minute, and then go in the order of arrival', async () => {
    const ids = await insert(4 * CAP);
    for (let minute = 1; minute <= 4; minute += 1) {
      const before = await versions('pending');
      await sendAll(notifier);
      const after = await versions('pending');
      const sent = before.filter(({ id }) => !after.some((row) => row.id === id));
      expect(sent.map(({ id }) => id)).toEqual(ids.slice((minute - 1) * CAP, minute * CAP));
      // No waiting row was written or locked.
      expect(before.filter(({ id }) => after.some((row) => row.id === id))).toEqual(after);
      await sendAll(notifier);
      expect(await versions('pending')).toEqual(after);
      await passMinute();
    }
  });

  test('do not keep another wholesaler’s messages waiting', async () => {
    await insert(1_000);
    await sendAll(notifier);
    const [mine] = await insert(1);
    const { claimed } = await claim();
    expect(claimed.map(({ id }) => id)).toEqual([mine]);
  });

  test('share a claim with other wholesalers in any order of arrival', async () => {
    await insert(1_000);
    const second = await insert(10);
    const { claimed } = await claim({ limit: 20 });
    const ids = new Set(claimed.map(({ id }) => id));
    expect(claimed).toHaveLength(20);
    expect(second.every((id) => ids.has(id))).toBe(true);
  });

  test('share claims of one message with other wholesalers, however old theirs are', async () => {
    await insert(CAP);
    const [mine] = await insert(1);
    const claimed: string[] = [];
    // Each is mine with a chance of one half.
    for (let count = 0; count < CAP - 5; count += 1) {
      claimed.push(...(await claim({ limit: 1 })).claimed.map(({ id }) => id));
    }
    expect(claimed).toContain(mine);
  });

  test('are logged once, when their wait is over', async () => {
    await insert(CAP + 2);
    const [first, second] = [await claim(), await claim()];
    await passMinute();
    const third = await claim();
    const waited = [first, second, third].map(
      ({ claimed }) => claimed.filter(({ waitedBehindCap }) => waitedBehindCap).length,
    );
    expect(waited).toEqual([0, 0, 2]);
  });

  test('expire because of the cap, not for lack of a sender', async () => {
    const wholesalerId = randomUUID();
    await insert(CAP, { wholesalerId });
    await sendAll(notifier);
    const [waiting] = await insert(1, { wholesalerId });
    const [unseen] = await insert(1);
    await notifier.rows(`UPDATE messages SET expires_at = now() WHERE status = 'pending'`);
    await settleLapsedMessages(notifier.context);
    const rows = await notifier.rows(
      `SELECT id, status_reason AS reason FROM messages WHERE id = ANY($1) AND status = 'expired'
        ORDER BY id`,
      [[waiting, unseen]],
    );
    expect(rows).toEqual([
      { id: waiting, reason: 'wholesaler-cap' },
      { id: unseen, reason: 'EXPIRED' },
    ]);
  });
});

describe('new messages', () => {
  test('are claimed in the statement that stores them, as a claim would return them', async () => {
    const message = newMessage(await newWholesaler());
    const [claimed] = await store([message]);
    await notifier.rows(
      `UPDATE messages SET status = 'pending', attempts = 0, attempted_at = NULL, claimed_until = NULL
        WHERE id = $1`,
      [message.id],
    );
    const again = await claim();
    const { startedAt, validSeconds, ...fields } = claimed ?? {};
    expect(again.claimed).toMatchObject([fields]);
    expect([startedAt, validSeconds]).toEqual([expect.any(Date), expect.any(Number)]);
  });

  test('are pending where an older message of their wholesaler is due', async () => {
    const wholesalerId = randomUUID();
    await insert(1, { wholesalerId });
    expect(await store([newMessage(wholesalerId)])).toEqual([]);
    expect(await versions('pending')).toHaveLength(2);
  });

  test('are claimed up to the limit, which wholesalers share', async () => {
    const [many, few] = [await newWholesaler(), await newWholesaler()];
    const ofMany = Array.from({ length: 10 }, () => newMessage(many));
    const ofFew = [newMessage(few), newMessage(few)];
    const claimed = await store([...ofMany, ...ofFew], { limit: 4 });
    const ids = [...ofMany.slice(0, 2), ...ofFew].map(({ id }) => id);
    expect(claimed.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await versions('pending')).toHaveLength(8);
  });

  test('are claimed once, however often their job is delivered', async () => {
    const message = newMessage(await newWholesaler());
    expect((await store([message, message])).map(({ id }) => id)).toEqual([message.id]);
    const claims = await Promise.all(Array.from({ length: 8 }, () => store([message])));
    expect(claims.flat()).toEqual([]);
    const counted = await notifier.rows(
      'SELECT claimed FROM claims_of_minute WHERE wholesaler_id = $1',
      [message.job.wholesalerId],
    );
    expect(counted).toEqual([{ claimed: 1 }]);
  });

  test('are claimed by one of the statements that store them at the same time, or by none', async () => {
    const message = newMessage(await newWholesaler());
    const claims = await Promise.all(Array.from({ length: 8 }, () => store([message])));
    const later = await claim();
    expect([...claims.flat(), ...later.claimed].map(({ id }) => id)).toEqual([message.id]);
  });

  test('are pending over a budget of their phone, and the next claim refuses them', async () => {
    const [wholesalerId, phone] = [await newWholesaler(), randomUUID()];
    for (let count = 0; count < PER_PHONE / 2; count += 1) {
      const message = newMessage(wholesalerId, phone);
      message.job.template = 'delivery-word';
      expect(await store([message])).toHaveLength(1);
    }
    const beyond = newMessage(wholesalerId, phone);
    beyond.job.template = 'delivery-word';
    expect(await store([beyond])).toEqual([]);
    expect((await claim()).refused).toMatchObject([{ id: beyond.id, refusal: 'phone-cap' }]);
  });

  test.each<[string, (sender: MessageSender) => void]>([
    ['this process does not send', () => {}],
    [
      'the breaker is open',
      ({ loop, breaker }) => {
        jest.spyOn(loop, 'isRunning', 'get').mockReturnValue(true);
        jest.spyOn(breaker, 'isClosed', 'get').mockReturnValue(false);
      },
    ],
    [
      'older ones wait for a place',
      ({ loop, calls }) => {
        jest.spyOn(loop, 'isRunning', 'get').mockReturnValue(true);
        calls.messagesWait = true;
      },
    ],
    [
      'no call can start',
      ({ loop, calls }) => {
        jest.spyOn(loop, 'isRunning', 'get').mockReturnValue(true);
        jest.spyOn(calls, 'free', 'get').mockReturnValue(0);
      },
    ],
  ])('are pending while %s', async (_reason, arrange) => {
    const { context } = notifier;
    const sender = new MessageSender(context, context.sender.provider, {
      onUnproven: jest.fn(),
      onWhatsappFailed: jest.fn(),
    });
    arrange(sender);
    const wake = jest.spyOn(sender.loop, 'wake');
    await sender.newMessages.add(newMessage(await newWholesaler()));
    expect(await versions('pending')).toHaveLength(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });
});

describe('claims of many processes at once', () => {
  /** As many parallel claims as there are connections, until none finds a message. */
  async function claimAll(over: Partial<ClaimMessages> = {}): Promise<string[]> {
    const claimed: string[] = [];
    const refused: string[] = [];
    for (let empty = 0; empty < 3;) {
      const rounds = await Promise.all(Array.from({ length: 8 }, () => claim(over)));
      const before = claimed.length + refused.length;
      for (const round of rounds) {
        claimed.push(...round.claimed.map(({ id }) => id));
        refused.push(...round.refused.map(({ id }) => id));
      }
      empty = claimed.length + refused.length === before ? empty + 1 : 0;
    }
    return claimed;
  }

  test('take each message once, and as many of each wholesaler as its cap', async () => {
    for (let n = 0; n < 6; n += 1) await insert(2 * CAP);
    const claimed = await claimAll({ limit: 7 });
    expect(claimed).toHaveLength(6 * CAP);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rows = await notifier.rows(
      `SELECT status, attempts, count(*) FROM messages WHERE status IN ('pending', 'sending')
        GROUP BY status, attempts ORDER BY status`,
    );
    expect(rows).toEqual([
      { status: 'pending', attempts: 0, count: 6 * CAP },
      { status: 'sending', attempts: 1, count: 6 * CAP },
    ]);
  });

  test('take as many new and old messages of a wholesaler as its cap', async () => {
    const wholesalerId = await newWholesaler();
    const stored = await Promise.all(
      Array.from({ length: 8 }, () =>
        store(Array.from({ length: 8 }, () => newMessage(wholesalerId))),
      ),
    );
    const claimed = [...stored.flat().map(({ id }) => id), ...(await claimAll())];
    expect(claimed).toHaveLength(CAP);
    expect(new Set(claimed).size).toBe(CAP);
  });

  test('take as many new messages for a phone as its budget', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, newWholesaler));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(owners.map((owner) => store([newMessage(owner, 'one phone')])));
    }
    await claimAll();
    expect(await versions('sending')).toHaveLength(PER_PHONE);
  });

  test('take as many for a phone of several wholesalers as its budget', async () => {
    const phones = 10;
    for (let n = 0; n < 8; n += 1) {
      await insert(2 * phones, { phone: (at) => `shared-${at % phones}` });
    }
    await claimAll({ limit: 5 });
    const rows = await notifier.rows<{ count: number }>(
      `SELECT phone_index, count(*) FROM messages WHERE status = 'sending' GROUP BY phone_index`,
    );
    expect(rows.map(({ count }) => count)).toEqual(Array.from({ length: phones }, () => PER_PHONE));
  });

  test('do not wait: a claim skips wholesalers and phones that another claim has locked', async () => {
    const [held] = await insert(1);
    const [free] = await insert(1);
    const connection = await notifier.context.db.connection.connect();
    await connection.query('BEGIN');
    await connection.query(
      `SELECT FROM claims_of_minute
        WHERE wholesaler_id = (SELECT wholesaler_id FROM messages WHERE id = $1) FOR UPDATE`,
      [held],
    );
    const { claimed } = await claim();
    await connection.query('ROLLBACK');
    connection.release();
    expect(claimed.map(({ id }) => id)).toEqual([free]);
    expect((await claim()).claimed.map(({ id }) => id)).toEqual([held]);
  });
});
