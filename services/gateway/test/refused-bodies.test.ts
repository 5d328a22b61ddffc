import { wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  BODY_BYTES_AT_ONCE,
  MAX_REFUSED_BYTES,
  REFUSED_WINDOW_MS,
} from '../src/forwarding/request-bodies';
import { openConnection } from './support/raw-connection';
import { answerError, startTestGateway } from './support/test-gateway';

/** Takes images. */
const STEP = '/v1/account/a/verification/b/onboarding';
const OTHER_KEY = 'fiado_test_another-wholesaler';
const LARGE = JSON.stringify('x'.repeat(MAX_REFUSED_BYTES / 4));

const gateway = forAllTests(startTestGateway);
beforeAll(() => {
  gateway.callers.set(OTHER_KEY, wholesaler());
  gateway.upstreams.transactions.answer = (req, res) => {
    res.setHeader('Content-Type', 'application/json');
    req.resume().once('end', () => answerError(res, 'INVALID_JSON'));
  };
});

async function outcome(body: string, key?: string): Promise<string> {
  const options = key === undefined ? { body } : { body, key };
  const answer = await gateway.call('POST', '/v1/transaction/batch', options);
  return `${answer.status} ${answer.body.errorCode}`;
}

it('large bodies that were refused too often are not sent on for a while', async () => {
  for (let i = 0; i < 4; i += 1) expect(await outcome(LARGE)).toBe('400 INVALID_JSON');
  const before = gateway.seenBy('transactions').length;
  expect(await outcome(LARGE)).toBe('429 RATE_LIMIT_EXCEEDED');
  expect(gateway.seenBy('transactions')).toHaveLength(before);

  // A small one is, and a large one of another credential.
  expect(await outcome('{"a":1')).toBe('400 INVALID_JSON');
  expect(await outcome(LARGE, OTHER_KEY)).toBe('400 INVALID_JSON');
  gateway.advance(REFUSED_WINDOW_MS);
  expect(await outcome(LARGE)).toBe('400 INVALID_JSON');
});

it('a refused body is not read, and its connection is closed after the answer', async () => {
  const bytes = 30 * 1024 * 1024;
  const connection = await openConnection(gateway.url);
  connection.write(
    `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: nobody\r\n` +
      `Content-Length: ${bytes}\r\n\r\n`,
  );
  connection.write(Buffer.alloc(bytes, 'x'));
  const answer = await connection.received('UNAUTHORIZED');
  expect(answer).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
  expect(connection.unsent()).toBeGreaterThan(0);
  await connection.closed();
});

it('the bytes of one credential are limited over time, without limiting another one', async () => {
  const limited = await startTestGateway({ config: { RATE_LIMIT_PER_SECOND: '300' } });
  limited.callers.set(OTHER_KEY, wholesaler());
  const body = Buffer.from(JSON.stringify('x'.repeat(8 * 1024 * 1024 - 2)));
  const status = async (options: object) => (await limited.call('POST', STEP, options)).status;
  for (let sent = 0; sent < BODY_BYTES_AT_ONCE; sent += body.length) {
    expect(await status({ body })).toBe(200);
  }
  const refused = await limited.call('POST', STEP, { body });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '4']);
  expect(await status({ body, key: OTHER_KEY })).toBe(200);
  limited.advance(4_000);
  expect(await status({ body })).toBe(200);
  await limited.stop();
});
