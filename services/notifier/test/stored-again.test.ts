import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import {
  codeJob,
  messageRow,
  startNotifierWithTwilio,
  untilStatus,
  type Notifier,
} from './support/notifier';

/** Longer than a statement waits for a lock. */
const TROUBLE_MS = 3_000;

let twilio: TwilioStandIn;
let notifier: Notifier;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio());
});
afterAll(() => notifier.stop());

test('the outcome of a message, sent or failed, is stored once the database accepts it again', async () => {
  const refused = codeJob({ phone: '+525512341299' });
  twilio.behaviourOf = ({ To }) =>
    To === '+525512341299' ? { refuse: 400, code: 21211 } : 'accept';
  const connection = await notifier.context.db.connection.connect();
  await connection.query('BEGIN');
  await connection.query('LOCK TABLE message_attempts IN ACCESS EXCLUSIVE MODE');
  const ids = { sent: randomUUID(), failed: randomUUID() };
  for (const [id, job] of [
    [ids.sent, codeJob()],
    [ids.failed, refused],
  ] as const) {
    await notifier.handle(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    await untilStatus(notifier, id, 'sending');
  }
  await sleep(TROUBLE_MS);
  for (const id of Object.values(ids)) {
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'sending' });
  }
  await connection.query('ROLLBACK');
  connection.release();

  for (const [status, id] of Object.entries(ids)) {
    expect(await untilStatus(notifier, id, status)).toMatchObject({ attempts: 1 });
    const attempts = await notifier.rows(
      'SELECT outcome FROM message_attempts WHERE message_id = $1',
      [id],
    );
    expect(attempts).toEqual([{ outcome: status }]);
  }
});

test('an outcome that cannot be stored does not hold up those that come with it', async () => {
  const { context } = notifier;
  const { provider } = context.sender;
  const ids: string[] = Array.from({ length: 6 }, () => randomUUID());
  let called = 0;
  let answerAll: () => void = () => {};
  const answered = new Promise<void>((resolve) => (answerAll = resolve));
  context.sender.provider = {
    name: 'repeats itself',
    deleteCopy: async () => {},
    send: async ({ messageId }) => {
      called += 1;
      if (called === ids.length) answerAll();
      await answered;
      // The same id for the last two messages.
      return { sid: `sid-${Math.min(ids.indexOf(messageId), ids.length - 2)}` };
    },
  };
  try {
    await Promise.all(
      ids.map((id) => {
        const job = codeJob({ phone: `+5255123400${ids.indexOf(id)}0` });
        return notifier.handle(sendMessage, { id: job.subjectId, version: 1 }, job, id);
      }),
    );
    for (const id of ids.slice(0, -2)) {
      expect(await untilStatus(notifier, id, 'sent')).toMatchObject({ attempts: 1 });
    }
    const last = await notifier.rows('SELECT count(*) FROM messages WHERE provider_sid = $1', [
      `sid-${ids.length - 2}`,
    ]);
    expect(last).toEqual([{ count: 1 }]);
  } finally {
    context.sender.provider = provider;
    // The last outcome is stored once its id is free.
    await notifier.rows(`UPDATE messages SET provider_sid = provider_sid || '-of-another'`);
  }
});
