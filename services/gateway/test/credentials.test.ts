import { setTimeout as sleep } from 'node:timers/promises';
import { ops } from '@fiado/shared/testing/callers';
import { strangeKeyVariables } from '@fiado/shared/testing/process-keys';
import { until } from '@fiado/shared/testing/until';
import { buildHouse, KEY, type House } from './support/house';
import { recordingLogger } from './support/recording-logger';

let house: House;
beforeEach(async () => {
  house = await buildHouse();
});
afterEach(() => house.stop());

const ask = async (key = KEY) => (await house.call('GET', '/v1/transaction', { key })).status;

/** Answers as accounts does, but after a delay or on command. */
function delayAccounts(wait: () => Promise<unknown>): void {
  const usual = house.upstreams.accounts.answer;
  house.upstreams.accounts.answer = (req, res) => void wait().then(() => usual?.(req, res));
}

describe('a good answer', () => {
  it('is cached for five seconds, then checked again', async () => {
    await ask();
    house.advance(4_999);
    await ask();
    expect(house.questions()).toBe(1);

    house.advance(1);
    await ask();
    expect(house.questions()).toBe(2);
  });

  it('is looked up once for 200 concurrent requests', async () => {
    delayAccounts(() => sleep(20));
    const statuses = await Promise.all(Array.from({ length: 200 }, () => ask()));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(house.questions()).toBe(1);
  });

  it('is renewed once by 200 concurrent requests', async () => {
    await ask();
    house.advance(6_000);
    delayAccounts(() => sleep(20));
    const statuses = await Promise.all(Array.from({ length: 200 }, () => ask()));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(house.questions()).toBe(2);
  });
});

describe('a revoked credential', () => {
  it('is refused within five seconds', async () => {
    await ask();
    house.callers.delete(KEY);
    house.advance(5_000);

    expect(await ask()).toBe(401);
  });

  it('is refused also to the requests that ran into its renewal', async () => {
    await ask();
    house.callers.delete(KEY);
    house.advance(5_000);
    delayAccounts(() => sleep(20));

    expect(await Promise.all([ask(), ask(), ask()])).toEqual([401, 401, 401]);
  });

  it('does not stay valid when accounts becomes unavailable after refusing it', async () => {
    await ask();
    house.callers.delete(KEY);
    house.advance(5_000);
    await ask();
    await house.upstreams.accounts.stop();
    house.advance(1_000);

    expect(await ask()).toBe(503);
  });
});

describe('a wrong credential', () => {
  it('reaches accounts once a second at most', async () => {
    expect([await ask('wrong'), await ask('wrong'), await ask('wrong')]).toEqual([401, 401, 401]);
    expect(house.questions()).toBe(1);

    house.advance(1_000);
    await ask('wrong');
    expect(house.questions()).toBe(2);
  });

  it('that becomes valid is accepted after a second', async () => {
    await ask('new-key');
    house.callers.set('new-key', ops());
    house.advance(1_000);

    expect(await ask('new-key')).toBe(200);
  });
});

describe('while accounts is unavailable', () => {
  it('a known credential stays good for ten minutes, and not longer', async () => {
    await ask();
    await house.upstreams.accounts.stop();
    house.advance(6_000);
    expect(await ask()).toBe(200);
    house.advance(590_000);
    expect(await ask()).toBe(200);

    house.advance(10_000);
    expect(await ask()).toBe(503);
  });

  it('an unknown credential is answered 503 with Retry-After', async () => {
    await house.upstreams.accounts.stop();
    const { status, body, headers } = await house.call('GET', '/v1/transaction');

    expect([status, body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('2');
  });

  it('an answer that is no refusal (a failure, an unknown code) counts as unavailable', async () => {
    await ask();
    house.advance(5_000);
    for (const [status, errorCode] of [
      [500, 'INTERNAL_ERROR'],
      [403, 'FORBIDDEN'],
      [400, undefined],
    ] as const) {
      house.upstreams.accounts.answer = (_req, res) => {
        res.statusCode = status;
        res.end(JSON.stringify({ errorCode, errorMessage: 'x' }));
      };
      house.advance(1_000);
      expect(await ask()).toBe(200);
      expect(await ask(`unknown ${status}`)).toBe(503);
    }
  });

  it('serves cached credentials while accounts hangs, without another check', async () => {
    await ask();
    delayAccounts(() => new Promise(() => {}));
    house.advance(6_000);
    expect(await ask()).toBe(200);
    const checks = house.seenBy('accounts').length;

    house.advance(1_000);
    expect(await ask()).toBe(200);
    expect(house.seenBy('accounts')).toHaveLength(checks);
  });

  it('its return is noticed, and so is a revocation made meanwhile', async () => {
    await ask();
    await house.upstreams.accounts.stop();
    house.advance(6_000);
    await ask();
    house.callers.delete(KEY);
    await house.upstreams.accounts.start();
    house.advance(1_000);
    // This one may still pass: it is what makes the gateway ask.
    await ask();
    await until('the revoked key is refused', async () => (await ask()) === 401);
  });
});

it('a gateway whose key accounts does not know is a 503 and an error to read, never a 401', async () => {
  const { log, lines } = recordingLogger();
  const other = await buildHouse({ log, config: strangeKeyVariables('gateway') });
  const { status, headers } = await other.call('GET', '/v1/transaction');
  await other.stop();

  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect(
    lines().filter((line) => /INTERNAL_TOKEN_PUBLIC_KEYS.*"error"\]$/.test(line)),
  ).toHaveLength(1);
});
