import { once } from 'node:events';
import { connect } from 'node:net';
import { buyAndPay, createProvider, createStore, createWholesaler } from './support/story';
import { waitFor } from './support/api';
import { childrenOf, spawnSupervisor, startSystem, type System } from './support/system';

let system: System | undefined;
afterEach(async () => {
  await system?.dispose();
  system = undefined;
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('ends on SIGTERM with exit 0, every port closed and no process left', async () => {
  system = await startSystem();
  const pids = childrenOf(system.supervisor);
  expect(pids.length).toBeGreaterThanOrEqual(6);

  expect(await system.stop()).toBe(0);

  expect(await Promise.all(system.ports.map(isOpen))).toEqual([false, false, false, false, false]);
  // A process that ended is listed until init has taken notice of it.
  await waitFor(() => Promise.resolve(pids.some(isAlive) ? undefined : true), 5_000);
}, 90_000);

it('prints a first curl that works as printed', async () => {
  system = await startSystem();
  const printed = /curl (\S+) -H 'Authorization: (\S+)'/.exec(system.output());

  const answer = await fetch(printed?.[1] ?? '', {
    headers: { authorization: printed?.[2] ?? '' },
  });

  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      userId: expect.any(String),
      cornerStoreId: expect.any(String),
      status: 'approved',
      creditLimitAvailable: 10_000,
    },
  ]);
}, 90_000);

it('says that another one runs on the data folder, and leaves that one alone', async () => {
  system = await startSystem();
  const { dataDir, ports } = system;

  const second = spawnSupervisor({ dataDir, ports: ports.map((port) => port + 1), env: {} });
  let said = '';
  second.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(second, 'exit');

  expect(code).toBe(1);
  expect(said).toMatch(/another npm start/i);
  await createWholesaler(system);
}, 90_000);

it('recovers what a kill -9 of everything left, with all its data', async () => {
  system = await startSystem();
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);
  const { dataDir, ports, supervisor } = system;
  const pids = childrenOf(supervisor);
  const ended = once(supervisor, 'exit');
  for (const pid of [...pids, supervisor.pid ?? 0]) process.kill(pid, 'SIGKILL');
  await ended;

  system = await startSystem({ dataDir, ports });
  await buyAndPay(system, { wholesaler, provider, store });
}, 120_000);

it('recovers when only the supervisor was killed', async () => {
  system = await startSystem();
  const wholesaler = await createWholesaler(system);
  const { dataDir, ports, supervisor } = system;
  const ended = once(supervisor, 'exit');
  supervisor.kill('SIGKILL');
  await ended;

  system = await startSystem({ dataDir, ports });
  await createStore(system, wholesaler);
}, 120_000);
