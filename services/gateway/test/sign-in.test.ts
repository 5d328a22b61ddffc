import { SIGN_INS_PER_SECOND } from '@fiado/contracts/staff-sign-in';
import { openConnection } from './support/raw-connection';
import { callerIn, startTestGateway, type TestGateway } from './support/test-gateway';

/** Few enough that a busy machine answers more in a second. */
const ALLOWED_PER_SECOND = 20;

let gateway: TestGateway;
beforeAll(async () => {
  const share = String(ALLOWED_PER_SECOND / SIGN_INS_PER_SECOND);
  gateway = await startTestGateway({ config: { RATE_LIMIT_SHARE: share } });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstreams.accounts.seen.length = 0;
});

const call = (method: string, path: string, body?: object) =>
  gateway.call(method, path, {
    key: undefined,
    body,
    headers: { 'content-type': 'application/json', 'x-fiado-caller': 'forged' },
  });

describe('a step of a sign-in', () => {
  it('reaches accounts without a credential, in the name of nobody', async () => {
    expect((await call('POST', '/v1/sign-in/token', { sessionToken: 'x' })).status).toBe(200);
    const [seen] = gateway.seenBy('accounts');
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/sign-in/token' });
    expect(await callerIn(seen?.headers ?? {}, 'accounts')).toEqual({
      kind: 'anonymous',
      id: 'anonymous',
      name: 'anonymous',
      scopes: [],
    });
    expect(gateway.questions()).toBe(0);
  });

  it.each([
    ['GET', '/v1/sign-in/token'],
    ['POST', '/v1/sign-in'],
    ['POST', '/v1/sign-in/token/more'],
    ['POST', '/v1/sign-in/../admin/staff'],
  ])('is nothing else: %s %s needs a credential', async (method, path) => {
    expect((await call(method, path)).status).toBe(401);
    expect(gateway.seenBy('accounts')).toEqual([]);
  });

  it('has a small body', async () => {
    const { status } = await call('POST', '/v1/sign-in/enrol', { x: 'x'.repeat(70_000) });
    expect(status).toBe(413);
  });
});

it('steps of sign-ins of one address beyond their rate are refused with 429', async () => {
  const connection = await openConnection(gateway.url);
  const request = 'POST /v1/sign-in/ways HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
  // The allowance grows while they are answered, on a busy machine by many.
  connection.write(request.repeat(ALLOWED_PER_SECOND * 50));
  const answers = await connection.received('RATE_LIMIT_EXCEEDED');
  connection.destroy();

  expect(answers).toMatch(/HTTP\/1\.1 429 [^]*Retry-After: [12]\r\n/);
  // Who has a session goes on.
  const sessionToken = 'fiado_session_x';
  expect((await call('POST', '/v1/sign-in/token', { sessionToken })).status).not.toBe(429);
});
