import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import type { Foundation, ServiceDefinition } from '@fiado/chassis/service';
import { ServiceConfig } from '@fiado/chassis/service-config';
import { ops } from '@fiado/chassis/testing/callers';
import { startTestService, type TestService } from '@fiado/chassis/testing/service';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { liveMessagesCall } from '@fiado/contracts/live-messages';
import {
  codeJob,
  deliver,
  messageRow,
  sendAll,
  startNotifierWithTwilio,
  type Notifier,
} from './support/notifier';

/** What transactions would no longer want to be sent. */
const dead = new Set<string>();

const transactions: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'transactions',
  schema: { name: 'live_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [
    internalEndpoint({
      call: liveMessagesCall,
      allow: ['service:notifier'],
      handle: async (_context: Foundation, { messages }) => ({
        messageIds: messages.map(({ messageId }) => messageId).filter((id) => !dead.has(id)),
      }),
    }),
  ],
  jobs: () => [],
  sendsTo: [],
  loops: () => [],
};

let owner: TestService<Foundation>;
let notifier: Notifier;
let twilio: TwilioStandIn;
beforeAll(async () => {
  owner = await startTestService(transactions, ServiceConfig);
  ({ notifier, twilio } = await startNotifierWithTwilio({ TRANSACTIONS_URL: owner.url }));
});
afterAll(async () => {
  await notifier.stop();
  await owner.stop();
});
beforeEach(async () => {
  twilio.reset();
  await notifier.rows(`UPDATE messages SET status = 'failed', sealed = NULL, claimed_until = NULL`);
});

const LONG_AGO = '2020-01-01';
const resend = (more: object = {}) =>
  notifier.call(ops('operator'), 'POST', '/v1/admin/messages/resend', {
    body: { status: 'unknown', since: LONG_AGO, ...more },
  });

/** A message that Twilio took, and answered with 500. */
async function unknownMessage(job = codeJob()): Promise<string> {
  twilio.behaviours = ['accept-then-500'];
  const id = await deliver(notifier, job);
  twilio.behaviours = ['accept'];
  twilio.posts.length = 0;
  expect(await messageRow(notifier, id)).toMatchObject({ status: 'unknown' });
  return id;
}

test('an unknown message whose purpose is alive is sent once more, however often it is asked for', async () => {
  const id = await unknownMessage();
  expect((await resend({ dryRun: true })).body).toEqual({
    unknown: 1,
    resent: 1,
    nextCursor: null,
  });
  await sendAll(notifier);
  expect(twilio.posts).toHaveLength(0);

  const answers = await Promise.all(Array.from({ length: 20 }, () => resend()));
  // They wait for each other. One that waits for longer than lock_timeout may try again, and sent nothing.
  for (const { status } of answers) expect([200, 503]).toContain(status);
  expect(answers.reduce((sum, { body }) => sum + (body.resent ?? 0), 0)).toBe(1);
  await sendAll(notifier);
  expect(twilio.posts).toHaveLength(1);
  expect(await messageRow(notifier, id)).toMatchObject({ status: 'unknown', attempts: 1 });
  expect((await resend()).body).toEqual({ unknown: 0, resent: 0, nextCursor: null });

  const audited = await notifier.outbox('audit.recorded');
  expect(audited.map(({ data }) => data)).toMatchObject([
    { action: 'messages.resent', details: { resent: 1 } },
  ]);
});

test('a message without a purpose, an expired and an older one are not sent again', async () => {
  dead.add(await unknownMessage());
  const expired = await unknownMessage();
  await notifier.rows('UPDATE messages SET expires_at = now() WHERE id = $1', [expired]);
  const old = await unknownMessage();
  await notifier.rows(`UPDATE messages SET created_at = '2019-12-31' WHERE id = $1`, [old]);
  expect((await resend()).body).toEqual({ unknown: 1, resent: 0, nextCursor: null });
  await sendAll(notifier);
  expect(twilio.posts).toHaveLength(0);
});

test('an unknown message forgets its phone and text when it expires', async () => {
  const id = await unknownMessage();
  expect((await messageRow(notifier, id)).sealed).not.toBeNull();
  await notifier.rows('UPDATE messages SET expires_at = now() WHERE id = $1', [id]);
  while ((await messageRow(notifier, id)).sealed !== null) await sendAll(notifier);
});

test('nothing is sent when the service that knows the purpose does not answer', async () => {
  await unknownMessage();
  for (const sender of notifier.context.senders) {
    jest.spyOn(sender, 'ask').mockRejectedValue(new Error('cut'));
  }
  expect((await resend()).status).toBe(500);
  jest.restoreAllMocks();
  await sendAll(notifier);
  expect(twilio.posts).toHaveLength(0);
});

test.each([
  [{ status: 'failed' }, 400],
  [{ since: 'yesterday' }, 400],
  [{ since: '2026-02-31' }, 400],
  [{ cursor: 'x' }, 400],
  [{ phoneNumber: '1' }, 400],
])('%j is a %d', async (body, status) => {
  expect((await resend(body)).status).toBe(status);
});
