import { provider } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { openConnection } from './support/raw-connection';
import { KEY, startTestGateway, type TestGateway } from './support/test-gateway';

/** A tenth of the 200 that one address may present in a second. */
const SHARE = { RATE_LIMIT_SHARE: '0.1' };
const MAX_WRONG_PER_SECOND = 20;

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
  gateway = await startTestGateway({ config: { ...SHARE, TRUSTED_PROXY_HOPS: '1' } });
  await guessAll('203.0.113.9, 198.51.100.1');

  expect(await guess('203.0.113.77, 198.51.100.1')).toBe(429);
  expect(await guess('203.0.113.9, 198.51.100.2')).toBe(401);
  expect(await guess('nonsense')).toBe(401);
});

it('without a trusted proxy, X-Forwarded-For does not change whose limit counts', async () => {
  gateway = await startTestGateway({ config: SHARE });
  await guessAll('198.51.100.1');

  expect(await guess('198.51.100.2')).toBe(429);
});

it('an IPv6 caller has one limit in its whole /64, and an IPv4 one has its own', async () => {
  gateway = await startTestGateway({ config: { ...SHARE, TRUSTED_PROXY_HOPS: '1' } });
  await guessAll('2001:db8:0:1::1');
  expect(await guess('2001:db8::1:ffff:ffff:ffff:ffff')).toBe(429);
  expect(await guess('2001:db8:0:2::1')).toBe(401);

  await guessAll('::ffff:198.51.100.1');
  expect(await guess('198.51.100.1')).toBe(429);
  expect(await guess('::ffff:198.51.100.2')).toBe(401);
});

describe('what an appending proxy sends', () => {
  const PROVIDER_KEY = 'provider-key';
  const ALLOWED = '198.51.100.7';
  const OTHER = '203.0.113.9';
  const MANY_HEADERS = 'x:\r\n'.repeat(2_100);

  /** The status of a provider's call, of which the proxy wrote the last line. */
  async function statusOf(callersLines: string, lastLine: string): Promise<string> {
    const connection = await openConnection(gateway.url);
    connection.write(
      `GET /v1/customer-transaction/payment/reference/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Authorization: ${PROVIDER_KEY}\r\n${callersLines}${lastLine}\r\n\r\n`,
    );
    return (await connection.closed()).slice('HTTP/1.1 '.length).slice(0, 3);
  }

  beforeEach(async () => {
    gateway = await startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' } });
    gateway.callers.set(PROVIDER_KEY, provider('STP'));
    gateway.proofs.set(PROVIDER_KEY, {
      allowedAddresses: [ALLOWED],
      signatureRequired: false,
      signingSecrets: [],
    });
  });

  it.each([
    ['after a line of the caller', `X-Forwarded-For: ${ALLOWED}\r\n`, `X-Forwarded-For: ${OTHER}`],
    [
      'after a line of the caller and thousands of headers',
      `X-Forwarded-For: ${ALLOWED}\r\n${MANY_HEADERS}`,
      `X-Forwarded-For: ${OTHER}`,
    ],
    ['in the caller’s line', MANY_HEADERS, `x-forwarded-for: ${ALLOWED}, ${OTHER}`],
    [
      'when the caller calls the header one of the connection',
      `Connection: X-Forwarded-For\r\nX-Forwarded-For: ${ALLOWED}\r\n`,
      `X-Forwarded-For: ${OTHER}`,
    ],
  ])('%s decides whose address it is', async (_where, callersLines, lastLine) => {
    expect(await statusOf(callersLines, lastLine)).toBe('403');
    const allowed = lastLine.replace(OTHER, ALLOWED);
    expect(await statusOf(callersLines.replace(ALLOWED, OTHER), allowed)).toBe('200');
  });
});

it.each(['Host: y', `${'x:\r\n'.repeat(2_100)}hOST: y`])(
  'a request with two hosts is a 400, and no service sees it',
  async (second) => {
    gateway = await startTestGateway();
    const connection = await openConnection(gateway.url);
    connection.write(
      `GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n${second}\r\n\r\n`,
    );
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 [^]*"MALFORMED_REQUEST"/);
    expect(gateway.seenBy('transactions')).toEqual([]);
  },
);
