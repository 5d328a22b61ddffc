import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sendMessage } from '@fiado/shared/contracts/jobs/send-message';
import {
  codeJob,
  messageRow,
  startNotifierWithTwilio,
  untilStatus,
  type Notifier,
} from './support/notifier';
import type { TwilioStandIn } from './support/twilio-stand-in';

/** Longer than a statement waits for a lock. */
const TROUBLE_MS = 3_000;

let twilio: TwilioStandIn;
let notifier: Notifier;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio());
});
afterAll(() => notifier.stop());

test.each([
  ['sent', 'accept' as const],
  ['failed', { refuse: 400, code: 21211 }],
])(
  'the outcome %s of a message is stored once the database accepts it again',
  async (status, behaviour) => {
    twilio.behaviours = [behaviour];
    const runner = notifier.context.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE message_attempts IN ACCESS EXCLUSIVE MODE');
    const id = randomUUID();
    const job = codeJob();
    await notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, id);
    await untilStatus(notifier, id, 'sending');
    await sleep(TROUBLE_MS);
    expect(await messageRow(notifier, id)).toMatchObject({ status: 'sending' });
    await runner.rollbackTransaction();
    await runner.release();

    expect(await untilStatus(notifier, id, status)).toMatchObject({ attempts: 1 });
    const attempts = await notifier.rows(
      'SELECT outcome FROM message_attempts WHERE message_id = $1',
      [id],
    );
    expect(attempts).toEqual([{ outcome: status }]);
  },
);
