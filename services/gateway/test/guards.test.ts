import { createHash } from 'node:crypto';
import { ops, provider, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { callerIn, KEY, startTestGateway } from './support/test-gateway';

const gateway = forAllTests(() => startTestGateway({ config: { RATE_LIMIT_PER_SECOND: '20' } }));
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
});

const MALFORMED = expect.stringMatching(/^The header Authorization is malformed: /);

describe('credentials', () => {
  it.each([
    ['missing', undefined, 'The header Authorization is missing'],
    ['unknown', 'fiado_test_unknown', 'The credential is not valid'],
    ['a scheme alone', 'Bearer ', MALFORMED],
    ['of an unknown scheme', `Basic ${KEY}`, MALFORMED],
    ['longer than any', 'x'.repeat(5_000), MALFORMED],
  ])('that are %s are refused with 401', async (_what, key, errorMessage) => {
    const { status, body, headers } = await gateway.call('GET', '/v1/transaction/external/a', {
      key,
    });

    expect(status).toBe(401);
    expect(body).toEqual({
      errorCode: 'UNAUTHORIZED',
      errorMessage,
    });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="fiado"');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(gateway.seenBy('transactions')).toEqual([]);
  });

  it.each(['', 'Bearer ', 'bearer ', 'ApiKey ', 'APIKEY  '])(
    'are taken with the scheme %j',
    async (scheme) => {
      const { status } = await gateway.call('GET', '/v1/transaction', { key: scheme + KEY });
      expect(status).toBe(200);
    },
  );

  it('carry the caller in a signed token', async () => {
    const stp = provider('STP', undefined, 'America/Tijuana');
    gateway.callers.set('provider-key', stp);
    await gateway.call('POST', '/v1/customer-transaction/payment/deposit', {
      key: 'provider-key',
      body: {},
    });

    expect(await callerIn(gateway.seenBy('payments')[0]?.headers ?? {}, 'payments')).toEqual(stp);
  });

  it('are never passed on', async () => {
    await gateway.call('GET', '/v1/transaction');
    expect(JSON.stringify(gateway.seenBy('transactions'))).not.toContain(KEY);
  });
});

describe('routes', () => {
  it.each([
    ['POST', '/v1/account/u/verification', 'accounts'],
    ['POST', '/v1/account/u/verification/v', 'accounts'],
    ['PUT', '/v1/account/u', 'accounts'],
    ['PUT', '/v1/account/u/verification/v/onboarding', 'accounts'],
    ['POST', '/v1/link/kyc', 'accounts'],
    ['POST', '/v1/link/account', 'accounts'],
    ['POST', '/v1/link/external/e', 'transactions'],
    ['POST', '/v1/transaction', 'transactions'],
    ['POST', '/v1/transaction/batch', 'transactions'],
    ['GET', '/v1/transaction/external/w', 'transactions'],
    ['GET', '/v1/transaction/external/payment', 'transactions'],
    ['PUT', '/v1/transaction/t', 'transactions'],
    ['PUT', '/v1/transaction/t/verification/v', 'transactions'],
    ['POST', '/v1/transaction/t/delivery-word', 'transactions'],
    ['POST', '/v1/transaction/t/invoice', 'transactions'],
    ['GET', '/v1/transaction/t/payment', 'payments'],
    ['POST', '/v1/corner-store/external', 'accounts'],
    ['GET', '/v1/corner-store/external/e', 'accounts'],
    ['GET', '/v1/corner-store/default-information', 'payments'],
    ['POST', '/v1/customer-transaction/payment/deposit', 'payments'],
    ['POST', '/v1/admin/wholesalers', 'accounts'],
    ['GET', '/v1/admin/corner-stores', 'accounts'],
    ['POST', '/v1/admin/transactions/t/reset-delivery-word', 'transactions'],
    ['GET', '/v1/admin/deposits', 'payments'],
    ['POST', '/v1/admin/deposits/d/assign', 'payments'],
    ['POST', '/v1/admin/defaults/detect', 'payments'],
    ['GET', '/v1/admin/messages', 'notifier'],
    ['POST', '/v1/admin/jobs/q/j/retry', 'notifier'],
    ['GET', '/v1/admin/invariants/accounts', 'accounts'],
    ['GET', '/v1/admin/invariants/transactions/corner-stores', 'transactions'],
    ['GET', '/v1/admin/invariants/payments/corner-stores', 'payments'],
    ['GET', '/v1/admin/invariants/notifier', 'notifier'],
  ])('%s %s goes to %s', async (method, path, service) => {
    gateway.callers.set(path, ops());
    const { status, body } = await gateway.call(method, `${path}?page=2`, { key: path });

    expect([status, body]).toEqual([200, { from: service }]);
    expect(gateway.seenBy(service as 'accounts')).toMatchObject([
      { method, url: `${path}?page=2` },
    ]);
  });

  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/internal/credentials/check', '/v1/transactionx'])(
    'do not include %s: 401 without a credential, 404 with one',
    async (path) => {
      const stranger = await gateway.call('GET', path, { key: undefined });
      const known = await gateway.call('GET', path, { key: path });
      gateway.callers.set(`known-${path}`, ops());
      const welcome = await gateway.call('GET', path, { key: `known-${path}` });

      expect([stranger.status, known.status, welcome.status]).toEqual([401, 401, 404]);
      expect(welcome.body.errorCode).toBe('ROUTE_NOT_FOUND');
    },
  );

  it.each(['/internal/credentials/check', '/nothing', '/v1x', '//v1/transaction'])(
    'outside /v1 do not include %s',
    async (path) => {
      const { status, body } = await gateway.call('POST', path, { body: { credential: KEY } });

      expect([status, body.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
      expect(gateway.questions()).toBe(0);
    },
  );
});

describe('the rate limit', () => {
  it('is shown with each answer of a service, and with an error of the gateway itself', async () => {
    const key = 'fiado_test_alone';
    gateway.callers.set(key, wholesaler());
    const shown = [];
    for (const path of ['/v1/transaction', '/v1/transaction', '/v1/nothing']) {
      const { headers } = await gateway.call('GET', path, { key });
      shown.push(['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`)));
      expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(2);
    }

    // Twenty a second, in windows of two.
    expect(shown).toEqual([
      ['40', '39'],
      ['40', '38'],
      ['40', '37'],
    ]);
  });
});

describe('the request id', () => {
  it('of the caller is taken, passed on and answered when it is well-formed', async () => {
    const { headers } = await gateway.call('GET', '/v1/transaction', {
      headers: { 'x-request-id': 'order-7.a_b' },
    });

    expect(headers.get('x-request-id')).toBe('order-7.a_b');
    expect(gateway.seenBy('transactions')[0]?.headers['x-request-id']).toBe('order-7.a_b');
  });

  it.each(['a b', 'x'.repeat(101), 'a"b'])('%j is replaced by a UUID', async (given) => {
    const { headers } = await gateway.call('GET', '/v1/transaction', {
      headers: { 'x-request-id': given },
    });

    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(gateway.seenBy('transactions')[0]?.headers['x-request-id']).toBe(
      headers.get('x-request-id'),
    );
  });
});

describe('the rate limit', () => {
  it('lets a burst of twice the rate through, then answers 429 with Retry-After', async () => {
    gateway.callers.set('busy', ops());
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => gateway.call('GET', '/v1/transaction', { key: 'busy' })),
    );

    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body.errorCode).toBe('RATE_LIMIT_EXCEEDED');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('is each credential’s own', async () => {
    gateway.callers.set('busy-too', ops());
    gateway.callers.set('idle', ops());
    const busy = Array.from({ length: 60 }, () =>
      gateway.call('GET', '/v1/transaction', { key: 'busy-too' }),
    );

    await expect(gateway.call('GET', '/v1/transaction', { key: 'idle' })).resolves.toMatchObject({
      status: 200,
    });
    await Promise.all(busy);
  });
});

it('all access tokens of one key share its rate, and two keys of one wholesaler do not', async () => {
  const caller = wholesaler();
  const tokenOf = (keyId: string, nonce: number) =>
    `e30.${Buffer.from(JSON.stringify({ keyId, nonce })).toString('base64url')}.c2ln`;
  const credentials = ['key-of-1', tokenOf('key-1', 1), tokenOf('key-1', 2), tokenOf('key-2', 1)];
  for (const credential of credentials) gateway.callers.set(credential, caller);
  gateway.callers.set('key-of-1', { ...caller, keyId: 'key-1' });
  const answers = await Promise.all(
    Array.from({ length: 45 }, (_, i) =>
      gateway.call('GET', '/v1/transaction', { key: credentials[i % 3] }),
    ),
  );
  const other = await gateway.call('GET', '/v1/transaction', { key: credentials[3] });

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
  expect(other.status).toBe(200);
});

describe('wrong credentials from one address', () => {
  it('beyond 200 in a second are refused with 429, and known ones are not', async () => {
    await gateway.call('GET', '/v1/transaction', { key: KEY });
    gateway.advance(2_000);
    const answers = await inFlight(
      Array.from({ length: 250 }, (_, i) => () => {
        const key = createHash('md5').update(`${i}`).digest('hex');
        return gateway.call('GET', '/v1/transaction', { key });
      }),
    );

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    expect((await gateway.call('GET', '/v1/transaction')).status).toBe(200);
    gateway.advance(1_000);
    expect((await gateway.call('GET', '/v1/transaction', { key: 'one-more' })).status).toBe(401);
  });
});
