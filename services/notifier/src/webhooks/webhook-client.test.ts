import { execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { promisify } from 'node:util';
import { createAddressGuard } from './address-guard';
import { checkWebhookUrl, type HostAddress } from './check-webhook-url';
import { createWebhookClient, type WebhookOutcome } from './webhook-client';

const execFile = promisify(execFileWithCallback);
const ROOT = resolvePath(__dirname, '../../../..');
/** A network with nothing but loopback: a guard that is broken cannot reach out of the machine. */
const OWN_NETWORK = ['--map-root-user', '--net', 'sh', '-c'];
const hasOwnNetwork = process.env.HAS_OWN_NETWORK === 'yes';
const isPermitted = spawnSync('unshare', [...OWN_NETWORK, 'ip link set lo up']).status === 0;

async function runInOwnNetwork(): Promise<void> {
  const jest = resolvePath(ROOT, 'node_modules/jest/bin/jest.js');
  const command = [process.execPath, jest, '--selectProjects=unit', '--runTestsByPath', __filename];
  const output = await execFile(
    'unshare',
    [...OWN_NETWORK, `ip link set lo up && exec ${command.map((part) => `'${part}'`).join(' ')}`],
    { cwd: ROOT, env: { PATH: process.env.PATH, HAS_OWN_NETWORK: 'yes', NO_COLOR: '1' } },
  ).catch((error: { stdout: string; stderr: string }) => error);
  expect(output.stdout + output.stderr).toMatch(/^Tests: +\d+ passed, \d+ total$/m);
}

const PUBLIC: HostAddress = { address: '93.184.215.14', family: 4 };
const LOOPBACK: HostAddress = { address: '127.0.0.1', family: 4 };
const isAllowed = createAddressGuard([]);
/** Addresses that a connection was begun to, whatever became of it. */
const attempts: string[] = [];

if (hasOwnNetwork) describe('in a network of its own', guardTests);
else if (isPermitted) test('the guard holds in a network of its own', runInOwnNetwork);
else test.skip('unshare or ip is missing or not permitted on this machine', () => undefined);

function guardTests(): void {
  beforeAll(() => {
    const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket;
    jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (
      this: Socket,
      ...args: unknown[]
    ) {
      this.on('connectionAttempt', (address: string) => attempts.push(address));
      return Reflect.apply(connect, this, args);
    });
  });
  afterAll(() => jest.restoreAllMocks());
  beforeEach(() => (attempts.length = 0));

  test.each<HostAddress>([
    LOOPBACK,
    { address: '::1', family: 6 },
    { address: '::ffff:10.0.0.1', family: 6 },
    { address: '10.0.0.1', family: 4 },
    { address: '169.254.169.254', family: 4 },
    { address: '64:ff9b::a00:1', family: 6 },
  ])('a name that was public and leads to $address now is never connected to', async (address) => {
    const url = 'https://rebinding.example/';
    const resolveHost = resolverOf([PUBLIC], [address]);
    const context = { isSandbox: false, resolveHost, mayReach: isAllowed };
    await expect(checkWebhookUrl(context, url)).resolves.toBe(url);

    expect(await post(url, resolveHost)).toEqual({ error: 'ADDRESS_NOT_ALLOWED' });
    expect(attempts).toEqual([]);
  });

  test.each([
    [LOOPBACK, PUBLIC],
    [PUBLIC, LOOPBACK],
  ])('a name that leads to %j and %j is refused', async (...addresses) => {
    const url = 'https://mixed.example/';
    const context = { isSandbox: false, resolveHost: resolverOf(addresses), mayReach: isAllowed };
    await expect(checkWebhookUrl(context, url)).rejects.toThrow('must be https');
    expect(await post(url, resolverOf(addresses))).toEqual({ error: 'ADDRESS_NOT_ALLOWED' });
    expect(attempts).toEqual([]);
  });

  test.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:10.0.0.1]'])(
    'the literal %s, which no look-up sees, is refused',
    async (host) => {
      for (const scheme of ['http', 'https']) {
        const outcome = await post(`${scheme}://${host}:4000/`, resolverOf([PUBLIC]));
        expect(outcome).toEqual({ error: 'ADDRESS_NOT_ALLOWED' });
      }
      expect(attempts).toEqual([]);
    },
  );

  test('a public address is connected to', async () => {
    const outcome = await post('https://public.example/', resolverOf([PUBLIC]));
    expect(outcome).toEqual({ error: 'NOT_REACHED' });
    expect(attempts).toEqual([PUBLIC.address]);
  });

  test('an address that is allowed is reached, and its redirect is not followed', async () => {
    const paths: Array<string | undefined> = [];
    const server = createServer(({ url }, res) => {
      paths.push(url);
      const location = url === '/near' ? '/there' : 'http://169.254.169.254/latest/meta-data/';
      res.writeHead(302, { location }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const mayReach = createAddressGuard(['127.0.0.0/8']);
    for (const path of ['/near', '/far']) {
      const url = `http://receiver.example:${port}${path}`;
      const outcome = await post(url, resolverOf([LOOPBACK]), mayReach);
      expect(outcome).toMatchObject({ status: 302 });
    }
    expect(paths).toEqual(['/near', '/far']);
    expect(new Set(attempts)).toEqual(new Set([LOOPBACK.address]));
    server.close();
  });
}

/** Addresses that a name leads to, one list for each look-up. */
function resolverOf(...answers: HostAddress[][]): () => Promise<HostAddress[]> {
  let lookups = 0;
  return async () => answers[Math.min(lookups++, answers.length - 1)] ?? [];
}

async function post(
  url: string,
  resolve: () => Promise<HostAddress[]>,
  mayReach = isAllowed,
): Promise<WebhookOutcome> {
  const client = createWebhookClient({ isAllowed: mayReach, resolve });
  const outcome = await client.post({ url, headers: {}, body: '{}' });
  await client.close();
  return outcome;
}
