import { setTimeout as sleep } from 'node:timers/promises';
import { ops } from '@fiado/chassis/testing/callers';
import { strangeKeyVariables } from '@fiado/chassis/testing/process-keys';
import { until } from '@fiado/chassis/testing/until';
import { recordingLogger } from './support/recording-logger';
import { KEY, startTestGateway, type TestGateway } from './support/test-gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

const ask = async (key = KEY) => (await gateway.call('GET', '/v1/transaction', { key })).status;

/** Answers as accounts does, but after a delay or on command. */
function delayAccounts(wait: () => Promise<unknown>): void {
  const usual = gateway.upstreams.accounts.answer;
  gateway.upstreams.accounts.answer = (req, res) => void wait().then(() => usual?.(req, res));
}

describe('a good answer', () => {
  it('is cached for five seconds, then checked again', async () => {
    await ask();
    gateway.advance(4_999);
    await ask();
    expect(gateway.questions()).toBe(1);

    gateway.advance(1);
    await ask();
    expect(gateway.questions()).toBe(2);
  });

  it('is looked up once for 40 concurrent requests', async () => {
    delayAccounts(() => sleep(20));
    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask()));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(gateway.questions()).toBe(1);
  });

  it('is renewed once by 40 concurrent requests', async () => {
    await ask();
    gateway.advance(6_000);
    delayAccounts(() => sleep(20));
    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask()));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(gateway.questions()).toBe(2);
  });
});

describe('a revoked credential', () => {
  it('is refused within five seconds', async () => {
    await ask();
    gateway.callers.delete(KEY);
    gateway.advance(5_000);

    expect(await ask()).toBe(401);
  });

  it('is refused also to the requests that ran into its renewal', async () => {
    await ask();
    gateway.callers.delete(KEY);
    gateway.advance(5_000);
    delayAccounts(() => sleep(20));

    expect(await Promise.all([ask(), ask(), ask()])).toEqual([401, 401, 401]);
  });

  it('does not stay valid when accounts becomes unavailable after refusing it', async () => {
    await ask();
    gateway.callers.delete(KEY);
    gateway.advance(5_000);
    await ask();
    await gateway.upstreams.accounts.stop();
    gateway.advance(1_000);

    expect(await ask()).toBe(503);
  });
});

describe('a wrong credential', () => {
  it('reaches accounts once a second at most', async () => {
    expect([await ask('wrong'), await ask('wrong'), await ask('wrong')]).toEqual([401, 401, 401]);
    expect(gateway.questions()).toBe(1);

    gateway.advance(1_000);
    await ask('wrong');
    expect(gateway.questions()).toBe(2);
  });

  it('that becomes valid is accepted after a second', async () => {
    await ask('new-key');
    gateway.callers.set('new-key', ops());
    gateway.advance(1_000);

    expect(await ask('new-key')).toBe(200);
  });
});

describe('while accounts is unavailable', () => {
  it('a known credential stays good for ten minutes, and not longer', async () => {
    await ask();
    await gateway.upstreams.accounts.stop();
    gateway.advance(6_000);
    expect(await ask()).toBe(200);
    gateway.advance(590_000);
    expect(await ask()).toBe(200);

    gateway.advance(10_000);
    expect(await ask()).toBe(503);
  });

  it('an unknown credential is answered 503 with Retry-After', async () => {
    await gateway.upstreams.accounts.stop();
    const { status, body, headers } = await gateway.call('GET', '/v1/transaction');

    expect([status, body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('2');
  });

  it('an answer that is no refusal (a failure, an unknown code) counts as unavailable', async () => {
    await ask();
    gateway.advance(5_000);
    for (const [status, errorCode] of [
      [500, 'INTERNAL_ERROR'],
      [403, 'FORBIDDEN'],
      [400, undefined],
    ] as const) {
      gateway.upstreams.accounts.answer = (_req, res) => {
        res.statusCode = status;
        res.end(JSON.stringify({ errorCode, errorMessage: 'x' }));
      };
      gateway.advance(1_000);
      expect(await ask()).toBe(200);
      expect(await ask(`unknown-${status}`)).toBe(503);
    }
  });

  it('serves cached credentials while accounts hangs, without another check', async () => {
    await ask();
    delayAccounts(() => new Promise(() => {}));
    gateway.advance(6_000);
    expect(await ask()).toBe(200);
    const checks = gateway.seenBy('accounts').length;

    gateway.advance(1_000);
    expect(await ask()).toBe(200);
    expect(gateway.seenBy('accounts')).toHaveLength(checks);
  });

  it('its return is noticed, and so is a revocation made meanwhile', async () => {
    await ask();
    await gateway.upstreams.accounts.stop();
    gateway.advance(6_000);
    await ask();
    gateway.callers.delete(KEY);
    await gateway.upstreams.accounts.start();
    gateway.advance(1_000);
    // This one may still pass: it is what makes the gateway ask.
    await ask();
    await until('the revoked key is refused', async () => (await ask()) === 401);
  });
});

it('a gateway whose key accounts does not know answers 503 and logs an error, never 401', async () => {
  const { log, lines } = recordingLogger();
  const other = await startTestGateway({ log, config: strangeKeyVariables('gateway') });
  const { status, headers } = await other.call('GET', '/v1/transaction');
  await other.stop();

  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect(
    lines().filter((line) => /INTERNAL_TOKEN_PUBLIC_KEYS.*"error"\]$/.test(line)),
  ).toHaveLength(1);
});
