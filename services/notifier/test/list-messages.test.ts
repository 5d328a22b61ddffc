import { randomUUID } from 'node:crypto';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import {
  codeJob,
  deliver,
  PHONE,
  startNotifier,
  startNotifierWithTwilio,
  type Notifier,
} from './support/notifier';

const PATH = '/v1/admin/messages/search';
const OTHER_PHONE = '+525587654321';

let notifier: Notifier;
let printed: string[];

beforeAll(async () => {
  printed = [];
  notifier = await startNotifier();
});
afterAll(() => notifier.stop());
beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  printed.length = 0;
  await notifier.rows('DELETE FROM message_attempts');
  await notifier.rows('DELETE FROM messages');
});

const list = (body: object = {}, by = ops()) => notifier.call(by, 'POST', PATH, { body });

describe('the sandbox', () => {
  test('prints messages with their code and a masked phone', async () => {
    await deliver(notifier);
    expect(printed).toEqual([expect.stringMatching(/^SMS to \*{8}1234: 042137 es tu clave .*\n$/)]);
  });

  test('shows ops the whole message, text included, and never the whole phone', async () => {
    const job = codeJob();
    const id = await deliver(notifier, job);
    // Accounts knows whose phone it is.
    const cornerStoreId = randomUUID();
    const asked = jest
      .spyOn(notifier.context.accounts, 'ask')
      .mockImplementation((_call, question) => {
        const { phoneIndexes } = Object(question) as { phoneIndexes: string[] };
        const stores = phoneIndexes.map((phoneIndex) => ({ phoneIndex, cornerStoreId }));
        return Promise.resolve({ stores } as never);
      });

    const answer = await list();
    asked.mockRestore();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      messages: [
        {
          messageId: id,
          template: 'order-code',
          channel: 'sms',
          follows: null,
          phoneNumber: '********1234',
          cornerStoreId,
          status: 'sent',
          reason: null,
          attempts: 1,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
          sentAt: expect.stringMatching(/^\d{4}-.*Z$/),
          expiresAt: job.expiresAt,
          wholesalerId: job.wholesalerId,
          subjectId: job.subjectId,
          attemptLog: [
            {
              startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
              finishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
              outcome: 'sent',
              httpStatus: null,
              providerCode: null,
            },
          ],
          body: expect.stringMatching(/^042137 es tu clave/),
        },
      ],
      nextCursor: null,
    });
    expect(answer.text).not.toContain(PHONE);
    expect((await list()).body.messages).toMatchObject([{ messageId: id, cornerStoreId: null }]);
  });
});

describe('POST /v1/admin/messages/search', () => {
  test('finds a phone however it is written', async () => {
    const id = await deliver(notifier);
    await deliver(notifier, codeJob({ phone: OTHER_PHONE }));
    for (const phone of [PHONE, '55 1234 1234', '(55) 1234-1234', '0052 55 1234 1234']) {
      const { body } = await list({ phoneNumber: phone });
      expect(body.messages).toMatchObject([{ messageId: id }]);
    }
  });

  test('looks a phone up for operators only, as the search does', async () => {
    const search = { phoneNumber: PHONE };
    expect((await list(search, ops('viewer'))).body.errorCode).toBe('FORBIDDEN');
    expect((await list(search, ops('operator'))).status).toBe(200);
  });

  test.each([
    ['status', 'sent', 'failed'],
    ['template', 'order-code', 'payment-due'],
  ])('filters by %s', async (name, its, another) => {
    const sent = await deliver(notifier);
    const { body } = await list({ [name]: its });
    expect(body.messages).toMatchObject([{ messageId: sent }]);
    expect((await list({ [name]: another })).body).toEqual({ messages: [], nextCursor: null });
    expect((await list({ [name]: 'lost' })).status).toBe(400);
  });

  test('finds those about an order or a user', async () => {
    const job = codeJob();
    const id = await deliver(notifier, job);
    await deliver(notifier, codeJob());
    for (const name of ['transactionId', 'userId']) {
      const { body } = await list({ [name]: job.subjectId });
      expect(body.messages).toMatchObject([{ messageId: id }]);
    }
    expect((await list({ transactionId: randomUUID() })).body.messages).toEqual([]);
  });

  test('pages newest first, each message once, also with equal times', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await deliver(notifier));
    await notifier.rows('UPDATE messages SET created_at = now() WHERE id = ANY($1)', [
      ids.slice(1, 4),
    ]);
    const seen: string[] = [];
    let after: object | undefined = {};
    while (after !== undefined) {
      const { body } = await list({ limit: 2, ...after });
      seen.push(...body.messages.map((message: { messageId: string }) => message.messageId));
      after = body.nextCursor === null ? undefined : { cursor: body.nextCursor };
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen.at(-1)).toBe(ids[0]);
    expect(new Set(seen.slice(0, 3))).toEqual(new Set(ids.slice(1, 4)));
  });

  test('is for ops alone', async () => {
    expect((await notifier.call(undefined, 'POST', PATH)).status).toBe(401);
    for (const caller of [wholesaler(), service('accounts')]) {
      expect((await notifier.call(caller, 'POST', PATH)).status).toBe(403);
    }
  });

  test.each([
    [{ phoneNumber: '123' }, 'phoneNumber must be a valid phone number'],
    [{ phoneNumber: '' }, 'phoneNumber must be a valid phone number'],
    [{ phone: PHONE }, expect.stringContaining('phone')],
    [{ status: 'lost' }, expect.stringContaining('status')],
    [{ status: ['sent', 'failed'] }, expect.stringContaining('status')],
    [{ transactionId: 'PED-7' }, expect.stringContaining('transactionId')],
    [
      { transactionId: randomUUID(), userId: randomUUID() },
      'transactionId and userId cannot be combined',
    ],
    [{ cursor: 'last' }, expect.stringContaining('cursor')],
    [{ limit: 0 }, expect.stringContaining('limit')],
    [{ limit: 101 }, expect.stringContaining('limit')],
    [{ limit: 'many' }, expect.stringContaining('limit')],
  ])('%j is a 400', async (body, problem) => {
    const answer = await list(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      statusCode: 400,
      message: expect.arrayContaining([problem]),
      error: 'Bad Request',
    });
  });

  test('a cursor of no message is refused', async () => {
    await deliver(notifier);
    expect(await list({ cursor: randomUUID() })).toMatchObject({
      status: 400,
      body: { message: ['cursor must be nextCursor of an earlier page'] },
    });
  });
});

test('in production a message shows no text, and a search for its phone is audited', async () => {
  const { notifier: production, twilio } = await startNotifierWithTwilio();
  twilio.behaviours = [{ refuse: 429, retryAfter: '60' }];
  const id = await deliver(production);
  const { body } = await production.call(ops(), 'POST', PATH);
  expect(body.messages).toMatchObject([{ status: 'pending', reason: 'HTTP_429', sentAt: null }]);
  expect(body.messages[0].attemptLog).toMatchObject([{ outcome: 'pending', httpStatus: 429 }]);
  expect(body.messages[0]).not.toHaveProperty('body');
  expect(await production.outbox('audit.recorded')).toEqual([]);

  const by = ops('operator', 'key-of-ana');
  await production.call(by, 'POST', PATH, { body: { phoneNumber: PHONE } });
  const audited = await production.outbox('audit.recorded');
  const entry = { action: 'messages.searched', details: { messageIds: [id] } };
  expect(audited.map(({ queue, data }) => [queue, data])).toEqual([
    ['accounts', { actorKind: 'ops', actorId: 'key-of-ana', ...entry }],
  ]);
  await production.stop();
});
