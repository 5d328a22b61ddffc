import { randomUUID } from 'node:crypto';
import { BUNDLE, MAX_BUNDLED, newBundleId } from '@fiado/chassis/jobs/bundle';
import { signBundle } from '@fiado/chassis/jobs/signed-envelope';
import { testProcessKeys } from '@fiado/chassis/testing/process-keys';
import { inOneBatch, statementsDuring } from '@fiado/chassis/testing/together';
import { until } from '@fiado/chassis/testing/until';
import { sendMessage, type SendMessage } from '@fiado/contracts/jobs/send-message';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import {
  codeJob,
  deliver,
  startNotifierWithTwilio,
  untilStatus,
  type Notifier,
} from './support/notifier';

/** In the texts of the statements. */
const INSERT = 'json_to_recordset($8::json) AS job';
const OUTCOMES = 'retry_seconds float8';

let twilio: TwilioStandIn;
let notifier: Notifier;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio());
});
afterAll(() => notifier.stop());
beforeEach(() => twilio.reset());

const jobs = (count: number) => Array.from({ length: count }, () => codeJob());

it('8 messages that wait together are stored by one statement, and so are their outcomes', async () => {
  const { sender, db } = notifier.context;
  const calls = Array.from({ length: 8 }, (_, at) => {
    const job = codeJob({ phone: `+5255123400${at}${at}` });
    return () => deliver(notifier, job);
  });
  let delivered: Array<Promise<string>> = [];
  sender.outcomes.pause();
  const inserts = await statementsDuring(db, INSERT, async () => {
    delivered = await inOneBatch(sender.newMessages, calls);
    await until('all outcomes wait', () => sender.outcomes.size === calls.length);
  });
  expect(inserts).toBe(1);
  const outcomes = await statementsDuring(db, OUTCOMES, async () => {
    sender.outcomes.resume();
    for (const id of await Promise.all(delivered)) await untilStatus(notifier, id, 'sent');
  });
  expect(outcomes).toBe(1);
  expect(twilio.posts).toHaveLength(8);
});

it('a message that its statement fails for fails alone', async () => {
  const { newMessages } = notifier.context.sender;
  const [before, bad, after] = jobs(3).map((job) => ({ id: randomUUID(), job }));
  if (before === undefined || bad === undefined || after === undefined) throw new Error('no jobs');
  const add = ({ id, job }: { id: string; job: SendMessage }) =>
    newMessages.add({ id, requestId: undefined, traceparent: undefined, job });
  const broken = { ...bad, job: Object.assign({}, bad.job, { expiresAt: 'never' }) };
  const results = await inOneBatch(
    newMessages,
    [before, broken, after].map((one) => () => add(one)),
  );
  const settled = await Promise.allSettled(results);
  expect(settled).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: '22007' } },
    { status: 'fulfilled' },
  ]);
  notifier.context.sender.wake();
  await untilStatus(notifier, before.id, 'sent');
  await untilStatus(notifier, after.id, 'sent');
});

it('all messages of a bundle wait for one statement', async () => {
  const { sender, db, queues } = notifier.context;
  const envelopes = Array.from({ length: MAX_BUNDLED }, (_, at) => {
    const data = codeJob({ phone: `+52551235${1_000 + at}` });
    const about = { aggregateId: data.subjectId, aggregateVersion: 1, data };
    const { type, version } = sendMessage;
    return { id: randomUUID(), type, version, occurredAt: new Date().toISOString(), ...about };
  });
  const bundle = await signBundle(testProcessKeys('transactions'), 'notifier', envelopes, []);
  sender.newMessages.pause();
  await queues.queue('notifier').add(BUNDLE, bundle, { jobId: newBundleId(MAX_BUNDLED) });
  const inserts = await statementsDuring(db, INSERT, async () => {
    await until('all messages wait', () => sender.newMessages.size === MAX_BUNDLED);
    sender.newMessages.resume();
    for (const { id } of envelopes) await untilStatus(notifier, id, 'sent');
  });
  expect(inserts).toBe(1);
});
