import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { waitFor } from './support/api';
import { childrenOf, startSystem, type System } from './support/system';

/** `npm start`, as the README shows it. */
let system: System;
beforeAll(async () => {
  system = await startSystem({ embedded: true });
});
afterAll(() => system.dispose());

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

it('prints a first curl that works as printed', async () => {
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
});

/** The one-use link of the console that the start printed. */
function printedLink(): string {
  return /http:\/\/localhost:\d+\/invitacion\/\S+/.exec(system.output())?.[0] ?? '';
}

it('prints a link that signs in to the console, once', async () => {
  const link = printedLink();
  expect(new URL(link).origin).toBe(system.consoleUrl);
  // The console starts when everything else is ready.
  const page = await waitFor(() => fetch(link).catch(() => undefined));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Ana (demo)')]);

  const enter = () =>
    fetch(`${link}/entrar`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    });
  const first = await enter();
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
  const home = await fetch(system.consoleUrl, { headers: { cookie }, redirect: 'manual' });
  const who = /Ana \(demo\)[^]*Administración/;
  expect([home.status, await home.text()]).toEqual([200, expect.stringMatching(who)]);

  const second = await enter();
  expect(second.headers.get('set-cookie')).toBeNull();
  expect((await fetch(link)).status).toBe(404);
});

it.each(['/entrar', '/validacion', '/tiendas', '/personal', '/console.js', '/invitacion/x'])(
  'the gateway does not serve the console: %s',
  async (path) => {
    expect((await fetch(system.baseUrl + path)).status).toBe(404);
  },
);

it('ends on SIGTERM with exit 0, every port closed and no process left', async () => {
  const pidFile = join(system.dataDir, 'postgres/data/postmaster.pid');
  const server = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  const pids = [...new Set([...childrenOf(system.supervisorPid), server])];
  // Five services, the console and the database.
  expect(pids).toHaveLength(7);

  expect(await system.stop()).toBe(0);

  const ports = [...system.ports, Number(new URL(system.consoleUrl).port)];
  expect((await Promise.all(ports.map(isOpen))).filter(Boolean)).toEqual([]);
  // An ended process stays in the process table until init has reaped it.
  await waitFor(() => Promise.resolve(pids.some(isAlive) ? undefined : true));
});
