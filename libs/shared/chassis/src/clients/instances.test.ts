import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer } from '../http/server';
import { Instances, wasNotSent } from './instances';

const OPTIONS = { connectTimeout: 1_000 };

let servers: Server[] = [];
let instances: Instances | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await instances?.close();
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  servers = [];
});

/** A server that answers with its own name. */
async function startInstance(name: string, address = '127.0.0.1', port = 0): Promise<Server> {
  const server = createServer((req, res) => {
    res.setHeader('X-Host', req.headers.host ?? '');
    res.end(name);
  });
  server.listen(port, address);
  await once(server, 'listening');
  servers.push(server);
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(): Promise<string> {
  const pool = instances?.next();
  if (pool === undefined) throw new Error('There are no instances');
  try {
    const { body } = await pool.request({ method: 'GET', path: '/' });
    return await body.text();
  } catch (error) {
    if (wasNotSent(error)) instances?.setAside(pool);
    return 'failed';
  }
}

async function askTimes(times: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < times; i++) {
    const name = await ask();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

it('instances are called in turn', async () => {
  const [a, b, c] = [await startInstance('a'), await startInstance('b'), await startInstance('c')];
  instances = new Instances([a, b, c].map(urlOf).join(', '), OPTIONS);

  expect(await askTimes(30)).toEqual({ a: 10, b: 10, c: 10 });
});

it('an instance that refuses is skipped, and called again after the pause', async () => {
  const [a, b] = [await startInstance('a'), await startInstance('b')];
  const { port } = b.address() as AddressInfo;
  instances = new Instances([a, b].map(urlOf).join(','), OPTIONS);
  await new Promise((done) => b.close(done));

  expect(await askTimes(20)).toEqual({ a: 19, failed: 1 });

  await startInstance('b again', '127.0.0.1', port);
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + 3_500);
  expect(await askTimes(20)).toEqual({ a: 10, 'b again': 10 });
});

it('while all are skipped, a request that one refused goes to another one, whoever took a turn meanwhile', async () => {
  const [a, b] = [await startInstance('a'), await startInstance('b')];
  const called = new Instances([a, b].map(urlOf).join(','), OPTIONS);
  instances = called;
  const [back, gone] = [called.next(), called.next()];
  for (const pool of [back, gone]) called.setAside(pool);
  // An even and an odd number of turns of others.
  for (const others of [0, 1, 2, 3]) {
    for (let n = 0; n < others; n += 1) called.next();
    expect(called.next(gone) === back).toBe(true);
  }
});

it('when all of them refuse they are all tried', async () => {
  const [a, b] = [await startInstance('a'), await startInstance('b')];
  instances = new Instances([a, b].map(urlOf).join(','), OPTIONS);
  const port = (b.address() as AddressInfo).port;
  await Promise.all([a, b].map((server) => new Promise((done) => server.close(done))));
  expect(await askTimes(4)).toEqual({ failed: 4 });

  await startInstance('b', '127.0.0.1', port);
  expect(await askTimes(4)).toEqual({ b: 2, failed: 2 });
});

it('no request is lost to an instance that drains, and none is sent there when it is gone', async () => {
  const [a, b] = [await startInstance('a'), await startInstance('b')];
  instances = new Instances([a, b].map(urlOf).join(','), OPTIONS);
  await askTimes(4);

  const closing = closeServer(b, 300);
  const counts: Record<string, number> = {};
  while (b.listening) {
    const name = await ask();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  await closing;

  expect(counts).toEqual({ a: expect.any(Number), b: expect.any(Number) });
  expect(counts.b).toBeLessThanOrEqual(2);
  expect(await askTimes(10)).toEqual({ a: 10 });
});

// Only Linux answers on all of 127.0.0.0/8 without configuration.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a name', () => {
  let addresses: string[];
  beforeEach(() => {
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation((async () =>
        addresses.map((address) => ({ address, family: 4 }))) as unknown as typeof dns.lookup);
  });

  /** The name is looked up each second. */
  async function until(names: string[]): Promise<void> {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
      if (
        Object.keys(await askTimes(6))
          .toSorted()
          .join() === names.join()
      )
        return;
    }
    throw new Error(`Never only ${names.join()}: ${JSON.stringify(await askTimes(6))}`);
  }

  onLinux('is followed as instances come and go, and what runs on one that goes ends', async () => {
    const a = await startInstance('a', '127.0.0.1');
    const { port } = a.address() as AddressInfo;
    await startInstance('b', '127.0.0.2', port);
    addresses = ['127.0.0.1'];
    instances = new Instances(`http://fiado-service.test:${port}`, OPTIONS);
    await until(['a']);

    addresses = ['127.0.0.1', '127.0.0.2'];
    await until(['a', 'b']);

    a.removeAllListeners('request').on('request', (_req, res) => {
      setTimeout(() => res.end('slow a'), 1_500);
    });
    const slow = Promise.all([ask(), ask()]);
    addresses = ['127.0.0.2'];
    await until(['b']);
    expect((await slow).toSorted()).toEqual(['b', 'slow a']);
  });

  onLinux('that cannot be looked up any more keeps its last instances', async () => {
    const a = await startInstance('a');
    addresses = ['127.0.0.1'];
    instances = new Instances(`http://fiado-service.test:${(a.address() as AddressInfo).port}`, {});
    await until(['a']);

    const failing = jest.spyOn(dns, 'lookup').mockRejectedValue(new Error('ENOTFOUND'));
    while (failing.mock.calls.length === 0) await sleep(20);
    expect(await askTimes(3)).toEqual({ a: 3 });
  });

  onLinux('stays in the Host header', async () => {
    const a = await startInstance('a');
    addresses = ['127.0.0.1'];
    const { port } = a.address() as AddressInfo;
    instances = new Instances(`http://fiado-service.test:${port}`, OPTIONS);
    await until(['a']);

    const { headers, body } = await instances.next().request({ method: 'GET', path: '/' });
    await body.dump();
    expect(headers['x-host']).toBe(`fiado-service.test:${port}`);
  });
});
