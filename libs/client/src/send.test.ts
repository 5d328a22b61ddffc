import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { cut, failureOf, scripted, TEST_KEY, type Scripted } from '../test/support/scripted-fetch';
import { FiadoConnectionError, FiadoError, FiadoTimeoutError } from './errors';

const NOW = { 'retry-after': '0' };
const order = { cornerStoreId: 'c', totalAmount: 500, products: [] };
const created: Scripted = { status: 201, body: { transactionId: 't' } };
const refused = (status: number, errorCode: string): Scripted => ({
  status,
  body: { errorCode, errorMessage: 'no' },
  headers: NOW,
});

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

describe('retries', () => {
  it.each<[string, Scripted]>([
    ['a broken connection', cut('ECONNRESET')],
    ['408', refused(408, 'REQUEST_TIMEOUT')],
    ['429', refused(429, 'RATE_LIMIT_EXCEEDED')],
    ["502 of a proxy's page", { status: 502, body: '<html>', headers: NOW }],
    ['503', refused(503, 'SERVICE_UNAVAILABLE')],
    ['504', refused(504, 'SERVICE_UNAVAILABLE')],
    ['a first request that still runs', refused(409, 'IDEMPOTENCY_CONFLICT')],
  ])('after %s the same bytes go out with the same key', async (_, failure) => {
    const { fiado, sent } = scripted([failure, failure, created]);

    await expect(fiado.transactions.create(order)).resolves.toEqual({ transactionId: 't' });

    expect(sent).toHaveLength(3);
    const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([JSON.stringify(order)]));
  });

  it.each([
    [400, 'INVALID_JSON'],
    [404, 'CORNER_STORE_NOT_FOUND'],
    [409, 'DUPLICATED_TRANSACTION'],
    [422, 'CREDIT_LIMIT_EXCEEDED'],
    [500, 'INTERNAL_ERROR'],
  ])('not after %i %s', async (status, code) => {
    const { fiado, sent } = scripted([refused(status, code)]);

    const error = await failureOf(fiado.transactions.create(order));

    expect(error).toMatchObject({ name: 'FiadoError', status, code });
    expect(sent).toHaveLength(1);
  });

  it('end after maxRetries, with the key for a later try', async () => {
    const { fiado, sent } = scripted([cut('ECONNREFUSED'), cut('ECONNREFUSED')]);

    const error = await failureOf(fiado.transactions.create(order, { maxRetries: 1 }));

    const idempotencyKey = sent[0]?.headers['idempotency-key'];
    expect(error).toBeInstanceOf(FiadoConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', idempotencyKey });
  });

  it('end at once if Retry-After is beyond the deadline', async () => {
    const busy = { status: 503, headers: { 'retry-after': '20' } };
    const { fiado } = scripted([busy], { deadlineMs: 10_000 });

    const error = await failureOf(fiado.transactions.get('t'));

    expect(error).toMatchObject({ status: 503, retryAfterSeconds: 20 });
  });

  it('a delete that took effect before its answer was lost succeeds', async () => {
    const gone = refused(404, 'WEBHOOK_ENDPOINT_NOT_FOUND');
    const { fiado } = scripted([cut('ECONNRESET'), gone]);

    await expect(fiado.webhookEndpoints.delete('w')).resolves.toBeUndefined();
    await expect(scripted([gone]).fiado.webhookEndpoints.delete('w')).rejects.toThrow('404');
  });
});

it('an attempt that gets no answer times out', async () => {
  const { fiado } = scripted(['hangs'], { timeoutMs: 5, maxRetries: 0 });

  expect(await failureOf(fiado.transactions.create(order))).toBeInstanceOf(FiadoTimeoutError);
});

it('the signal of the caller ends a call', async () => {
  const { fiado, sent } = scripted(['hangs']);
  const stop = new AbortController();
  const call = failureOf(fiado.transactions.get('t', { signal: stop.signal }));
  while (sent.length === 0) await setImmediate();
  stop.abort(new Error('stopped'));

  expect(await call).toMatchObject({ message: 'stopped' });
  const late = failureOf(fiado.transactions.get('t', { signal: stop.signal }));
  expect(await late).toMatchObject({ message: 'stopped' });
  expect(sent).toHaveLength(1);
});

it('an error has the other fields of its answer as details', async () => {
  const body = {
    errorCode: 'VERIFICATION_NOT_VALID',
    errorMessage: 'no',
    reason: 'wrong',
    checksLeft: 4,
  };
  const { fiado } = scripted([
    { status: 422, body },
    { status: 400, body: { statusCode: 400, message: ['a is'], error: 'Bad Request' } },
  ]);
  const confirm = () => failureOf(fiado.transactions.confirm('t', 'v', { errorCode: '123456' }));

  expect(await confirm()).toMatchObject({ details: { reason: 'wrong', checksLeft: 4 } });
  expect(((await confirm()) as FiadoError).details).toEqual({});
});

it('the three forms of an error in the API are one class', async () => {
  const headers = { 'x-request-id': 'r', 'idempotent-replayed': 'true' };
  const { fiado } = scripted([
    {
      status: 422,
      body: { errorCode: 'CREDIT_LIMIT_EXCEEDED', errorMessage: 'Too much' },
      headers,
    },
    { status: 422, body: { code: 'USER_IS_VERIFIED', message: 'Verified' } },
    { status: 400, body: { statusCode: 400, message: ['a is', 'b is'], error: 'Bad Request' } },
    { status: 301, body: '' },
    { status: 200, body: '<html>' },
  ]);
  const failures = [
    await failureOf(fiado.transactions.create(order)),
    await failureOf(fiado.accounts.resendCode('u', 'v', { phoneNumber: '+525500000001' })),
    await failureOf(fiado.transactions.create(order)),
    await failureOf(fiado.transactions.create(order)),
    await failureOf(fiado.transactions.create(order)),
  ] as FiadoError[];

  expect(failures.map(({ code, problems }) => [code, ...problems])).toEqual([
    ['CREDIT_LIMIT_EXCEEDED'],
    ['USER_IS_VERIFIED'],
    ['VALIDATION_FAILED', 'a is', 'b is'],
    ['UNEXPECTED_ANSWER'],
    ['UNEXPECTED_ANSWER'],
  ]);
  expect(failures[0]).toMatchObject({ requestId: 'r', replayed: true });
  expect(failures[0]?.is('CREDIT_LIMIT_EXCEEDED')).toBe(true);
  expect(failures[0]?.is('createTransaction', 'CREDIT_LIMIT_EXCEEDED')).toBe(true);
  expect(failures[0]?.is('createTransactionLink', 'CREDIT_LIMIT_EXCEEDED')).toBe(false);
});

it('the key is in no error, and nothing prints it', async () => {
  const { fiado } = scripted([cut('ECONNREFUSED')], { maxRetries: 0 });
  const error = await failureOf(fiado.transactions.create(order));
  const { fiado: withTokens } = scripted([refused(401, 'UNAUTHORIZED')], { tokens: true });
  const tokenError = await failureOf(withTokens.transactions.get('t'));

  const printed = [error, tokenError, fiado, withTokens].map((one) =>
    inspect(one, { depth: 9, showHidden: true }),
  );
  expect(printed.join('')).not.toContain(TEST_KEY);
  expect(JSON.stringify([fiado, error])).not.toContain(TEST_KEY);
});

it('onAttempt learns of each attempt', async () => {
  const onAttempt = jest.fn();
  const { fiado } = scripted([refused(503, 'SERVICE_UNAVAILABLE'), created], { onAttempt });
  await fiado.transactions.create(order);

  expect(onAttempt.mock.calls.flat()).toMatchObject([
    { operation: 'createTransaction', number: 1, status: 503, retryInMs: 0 },
    { operation: 'createTransaction', number: 2, status: 201, retryInMs: undefined },
  ]);
});
