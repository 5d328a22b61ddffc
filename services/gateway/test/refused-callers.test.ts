import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import { recordingLogger } from './support/recording-logger';
import { KEY, startTestGateway, type TestGateway } from './support/test-gateway';

const ENDED_KEY = 'fiado_test_a-key-that-was-revoked';
const KEY_ID = '0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11';

let gateway: TestGateway;
const { log, lines } = recordingLogger();

beforeEach(async () => {
  gateway = await startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' }, log });
  gateway.endedKeys.set(ENDED_KEY, KEY_ID);
});

const ask = async (key: string | undefined, address: string) => {
  const headers = { 'x-forwarded-for': address };
  return (await gateway.call('GET', '/v1/transaction', { key, headers })).status;
};

async function counters(): Promise<number[]> {
  const { text } = await gateway.call('GET', '/metrics', { key: undefined });
  return ['ended', 'unknown', 'missing'].map((credential) =>
    sampleIn(text, `fiado_gateway_unauthorized_total{credential="${credential}"}`),
  );
}

/** The last report is made when the gateway stops. */
async function reported(): Promise<object[]> {
  await gateway.stop();
  return gateway.reports.flatMap(({ callers }) => callers);
}

it('a refused credential is counted, logged and reported with address and key', async () => {
  const increases = await increasesOf(counters, async () => {
    for (const [key, address] of [
      [ENDED_KEY, '2001:db8::1'],
      [ENDED_KEY, '2001:db8::2'],
      ['fiado_test_unknown', '192.0.2.1'],
      [undefined, '192.0.2.1'],
      [undefined, '192.0.2.2'],
    ] as const) {
      expect(await ask(key, address)).toBe(401);
    }
    expect(await ask(KEY, '192.0.2.3')).toBe(200);
  });
  expect(increases).toEqual([2, 1, 2]);

  expect(lines().map((line) => JSON.parse(line)[0])).toContainEqual(
    expect.objectContaining({ status: 401, address: '2001:db8:0:0::/64', keyId: KEY_ID }),
  );
  expect(lines().join()).not.toContain(ENDED_KEY);
  expect(await reported()).toEqual([
    { address: '2001:db8:0:0::/64', keyId: KEY_ID, count: 2 },
    { address: '192.0.2.1', count: 2 },
    { address: '192.0.2.2', count: 1 },
  ]);
});

it('a flood of addresses is reported as a hundred, with the known key among them', async () => {
  const addresses = Array.from({ length: 150 }, (_, at) => `192.0.2.${at}`);
  await Promise.all(addresses.map((address) => ask('fiado_test_unknown', address)));
  await ask(ENDED_KEY, '198.51.100.1');

  const callers = await reported();
  expect(callers).toHaveLength(100);
  expect(callers[0]).toEqual({ address: '198.51.100.1', keyId: KEY_ID, count: 1 });
});
