import { createLogger } from '@fiado/chassis/logger';
import { loadConfig } from '@fiado/chassis/config';
import { ConsoleConfig } from '../src/config';
import { startConsole } from '../src/console';
import { startStandInGateway } from './support/stand-in-gateway';

const INVITATION = `fiado_invite_${'d'.repeat(43)}`;

let gateway: Awaited<ReturnType<typeof startStandInGateway>>;
let running: Awaited<ReturnType<typeof startConsole>> | undefined;

beforeEach(async () => {
  gateway = await startStandInGateway();
});
afterEach(async () => {
  await running?.close();
  await gateway.stop();
});

async function start(hops: string): Promise<void> {
  const config = loadConfig(ConsoleConfig, {
    FIADO_MODE: 'sandbox',
    CONSOLE_PORT: '0',
    CONSOLE_TRUSTED_PROXY_HOPS: hops,
    GATEWAY_URL: gateway.url,
    LOG_LEVEL: 'silent',
  });
  running = await startConsole(config, createLogger('console', 'silent'));
}

function send(path: string, forwardedFor: string, method = 'GET'): Promise<Response> {
  return fetch(`http://localhost:${running?.port}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'x-forwarded-for': forwardedFor, 'sec-fetch-site': 'same-origin' },
  });
}

/**
 * Opens the page to sign in until a request is refused.
 * @param forwardedFor the header of each request
 * @returns the first refusal
 */
async function spend(forwardedFor: (request: number) => string): Promise<Response> {
  // A busy machine may need more than one window.
  for (let round = 0; round < 20; round += 1) {
    const sent = Array.from(
      { length: new ConsoleConfig().CONSOLE_RATE_LIMIT_PER_SECOND * 4 },
      (_, request) => send('/entrar', forwardedFor(request)),
    );
    const responses = await Promise.all(sent);
    const refused = responses.find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
  throw new Error('No request was refused');
}

it('an address beyond its rate is refused, no other address is, and the ways to sign in are read once', async () => {
  await start('1');
  expect((await send('/entrar', '198.51.100.2')).status).toBe(200);
  const callsOfPage = gateway.calls.length;

  const refused = await spend((request) => `203.0.113.${request}, 198.51.100.1`);
  expect(refused.headers.get('retry-after')).toMatch(/^[12]$/);
  expect(await refused.text()).toContain('Demasiadas solicitudes');
  expect(gateway.calls.length).toBe(callsOfPage);
  expect((await send('/entrar', '203.0.113.9, 198.51.100.2')).status).toBe(200);
});

it('without a trusted proxy, X-Forwarded-For does not change whose limit counts', async () => {
  await start('0');
  const refused = await spend((request) => `198.51.100.${request}`);

  expect(refused.status).toBe(429);
});

it('the health of a console does not count', async () => {
  await start('1');
  await spend(() => '198.51.100.1');

  expect((await send('/health/ready', '198.51.100.1')).status).toBe(200);
});

it('the address in the list of sessions is the one that the trusted proxy tells', async () => {
  await start('1');
  await send(`/invitacion/${INVITATION}/entrar`, '203.0.113.9, 198.51.100.1', 'POST');

  const [call] = gateway.calls;
  expect(JSON.parse(call?.body ?? '')).toMatchObject({ address: '198.51.100.1' });
});
