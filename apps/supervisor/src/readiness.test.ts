import { createServer, type Server } from 'node:http';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { SupervisorConfig } from './config';
import { waitUntilReady } from './readiness';

const PORTS = [
  'PORT',
  'ACCOUNTS_PORT',
  'TRANSACTIONS_PORT',
  'PAYMENTS_PORT',
  'NOTIFIER_PORT',
] as const;

const FAST = { timeoutMs: 20_000, stalledAfterMs: 10_000, noticeEveryMs: 50 };

let config: SupervisorConfig;
let servers: Server[];
let said: string[];

beforeEach(async () => {
  const free = await freePorts(PORTS.length);
  config = Object.assign(
    new SupervisorConfig(),
    Object.fromEntries(PORTS.map((name, at) => [name, free[at]])),
  );
  servers = [];
  said = [];
});

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A service that is not ready while one of its checks fails. */
async function serve(port: (typeof PORTS)[number], failing?: string): Promise<void> {
  const server = createServer((_req, res) => {
    res.writeHead(failing === undefined ? 200 : 503, { 'content-type': 'application/json' });
    res.end(
      JSON.stringify({
        checks: { database: 'ok', [failing ?? 'queues']: failing === undefined ? 'ok' : 'failed' },
      }),
    );
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(config[port], '127.0.0.1', done));
}

function wait(limits: Partial<typeof FAST> = {}, hasStarted = (_name: string) => true) {
  const say = (line: string) => void said.push(line);
  return waitUntilReady(
    { config, hasStarted, say, ...FAST, ...limits },
    new AbortController().signal,
  );
}

describe('waiting until all services are ready', () => {
  it('names the services that it waits for, and ends with the last one', async () => {
    for (const port of PORTS.slice(0, 3)) await serve(port);
    await serve('PAYMENTS_PORT', 'queues');
    const waiting = wait();
    while (said.length < 4) await new Promise((done) => setTimeout(done, 10));
    expect(said.slice(0, 4)).toEqual([
      `gateway       ready on port ${config.PORT}`,
      `accounts      ready on port ${config.ACCOUNTS_PORT}`,
      `transactions  ready on port ${config.TRANSACTIONS_PORT}`,
      'waiting for payments (queues not ready), notifier (not listening yet)',
    ]);

    servers.pop()?.close();
    await serve('NOTIFIER_PORT');
    await serve('PAYMENTS_PORT');
    await expect(waiting).resolves.toBeUndefined();
    expect(said.filter((line) => line.includes('ready on port'))).toHaveLength(PORTS.length);
  });

  it('waits for a service that is still loading, up to the time-out', async () => {
    for (const port of PORTS.slice(0, 4)) await serve(port);
    await expect(wait({ timeoutMs: 500, stalledAfterMs: 100 })).rejects.toThrow(
      'not ready within 0.5 s: notifier (not listening yet)',
    );
  });

  it('does not ask a service before its process has started', async () => {
    for (const port of PORTS) await serve(port);
    let asked = 0;
    servers.at(-1)?.on('request', () => (asked += 1));
    const hasStarted = (name: string) => name !== 'notifier';

    await expect(wait({ timeoutMs: 300 }, hasStarted)).rejects.toThrow(
      'not ready within 0.3 s: notifier (not listening yet)',
    );
    expect(asked).toBe(0);
  });

  it('ends before the time-out when nothing changes any more', async () => {
    for (const port of PORTS.slice(0, 4)) await serve(port);
    await serve('NOTIFIER_PORT', 'database');
    await expect(wait({ stalledAfterMs: 100 })).rejects.toThrow(
      'not ready, and nothing changed for 0.1 s: notifier (database not ready)',
    );
  });
});
