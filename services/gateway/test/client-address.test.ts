import { inFlight } from '@fiado/shared/testing/in-flight';
import { startTestGateway, type TestGateway } from './support/test-gateway';

/** The limit of one address per second. */
const MAX_WRONG_PER_SECOND = 200;

let gateway: TestGateway;
let keys = 0;
afterEach(() => gateway.stop());

/** Presents a key that nobody has, as if forwarded for these addresses. */
async function guess(forwardedFor: string): Promise<number> {
  const key = `wrong-${(keys += 1)}`;
  const headers = { 'x-forwarded-for': forwardedFor };
  return (await gateway.call('GET', '/v1/transaction', { key, headers })).status;
}

/** Presents as many as one address may. */
async function guessAll(forwardedFor: string): Promise<void> {
  const statuses = await inFlight(
    Array.from({ length: MAX_WRONG_PER_SECOND }, () => () => guess(forwardedFor)),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
}

it('behind a trusted proxy the address it was called from has its own limit, whatever the caller wrote', async () => {
  gateway = await startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' } });
  await guessAll('203.0.113.9, 198.51.100.1');

  expect(await guess('203.0.113.77, 198.51.100.1')).toBe(429);
  expect(await guess('203.0.113.9, 198.51.100.2')).toBe(401);
  expect(await guess('nonsense')).toBe(401);
});

it('without a trusted proxy, X-Forwarded-For does not change whose limit counts', async () => {
  gateway = await startTestGateway();
  await guessAll('198.51.100.1');

  expect(await guess('198.51.100.2')).toBe(429);
});

it('an IPv6 caller has one limit in its whole /64, and an IPv4 one has its own', async () => {
  gateway = await startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' } });
  await guessAll('2001:db8:0:1::1');
  expect(await guess('2001:db8::1:ffff:ffff:ffff:ffff')).toBe(429);
  expect(await guess('2001:db8:0:2::1')).toBe(401);

  await guessAll('::ffff:198.51.100.1');
  expect(await guess('198.51.100.1')).toBe(429);
  expect(await guess('::ffff:198.51.100.2')).toBe(401);
});
