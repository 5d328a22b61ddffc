import { until } from '@fiado/chassis/testing/until';
import { randomUUID } from 'node:crypto';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { codeJob, startNotifier, type Notifier } from './support/notifier';

let notifier: Notifier;
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  notifier = await startNotifier({ OUTGOING: 'held' });
});
afterAll(async () => {
  await notifier.stop();
  jest.restoreAllMocks();
});

const statuses = async () =>
  (await notifier.rows<{ status: string }>('SELECT status FROM messages')).map(
    ({ status }) => status,
  );

test('with OUTGOING=held messages are stored and none is sent, until another process has it on', async () => {
  const job = codeJob();
  await notifier.deliver(sendMessage, { id: job.subjectId, version: 1 }, job, randomUUID());
  notifier.context.sender.wake();
  expect(await statuses()).toEqual(['pending']);
  expect(notifier.context.webhookSender.loop.isRunning).toBe(false);
  const other = await notifier.startOther({ OUTGOING: 'on' });
  await until('the message is sent', async () => (await statuses())[0] === 'sent');
  await other.stop();
});
