import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { mendLinks } from './binaries';
import { EmbeddedPostgres } from './embedded-postgres';
import { isRunning } from './postmaster-pid';
import { makeRoomyFolder } from './testing/roomy-folder';

let folder: string;
let started: EmbeddedPostgres[];

beforeEach(async () => {
  folder = await makeRoomyFolder('fiado-pg-');
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((postgres) => postgres.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** A cluster that three starts at once have made; stopped, the later tests have copies of it. */
let made: string;
beforeAll(async () => {
  made = await makeRoomyFolder('fiado-pg-');
});
afterAll(() => rm(made, { recursive: true, force: true }));

describe('EmbeddedPostgres in a fresh folder', () => {
  let results: Awaited<ReturnType<EmbeddedPostgres['start']>>[];
  let databaseUrl: string;
  let servers: EmbeddedPostgres[];
  beforeAll(async () => {
    servers = [1, 2, 3].map(
      () => new EmbeddedPostgres({ dataDir: join(made, 'db'), durable: false }),
    );
    results = await Promise.all(servers.map((server) => server.start()));
    [{ databaseUrl } = { databaseUrl: '' }] = results;
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it('starts a fresh database of the owner, in UTF-8 and UTC, on the loopback alone', async () => {
    expect(databaseUrl).toMatch(/^postgresql:\/\/fiado:[\w-]{32}@127\.0\.0\.1:\d+\/fiado$/);
    const sql = `SELECT current_user AS owner, current_setting('TimeZone') AS zone,
      current_setting('server_encoding') AS encoding, current_setting('max_connections') AS most,
      current_setting('listen_addresses') AS address,
      current_setting('unix_socket_directories') AS sockets`;
    expect(await query(databaseUrl, sql)).toEqual([
      {
        owner: 'fiado',
        zone: 'UTC',
        encoding: 'UTF8',
        most: '200',
        address: '127.0.0.1',
        sockets: '',
      },
    ]);
  });

  it('refuses logins without the password, which only its owner can read', async () => {
    await expect(query(databaseUrl.replace(/:[\w-]{32}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    );
    expect(statSync(join(made, 'db/postgres/password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(made, 'db/postgres')).mode & 0o777).toBe(0o700);
  });

  it('several starts at once share a server', () => {
    expect(new Set(results.map(({ databaseUrl }) => databaseUrl)).size).toBe(1);
    expect(results.filter(({ adopted }) => !adopted)).toHaveLength(1);
    expect(readdirSync(join(made, 'db'))).toEqual(['postgres']);
  });

  it('calls a start off when it is stopped meanwhile', async () => {
    const server = postgres();
    const starting = server.start();
    const outcome = starting.then(
      () => 'started',
      (error: Error) => error.message,
    );
    await pause(30);
    await server.stop();

    expect(await outcome).toBe('The start of the database was cancelled');
  });
});

describe('EmbeddedPostgres in a folder that holds a cluster', () => {
  beforeEach(() => {
    execFileSync('cp', ['-a', join(made, 'db'), folder]);
  });

  it('keeps its data over a restart, and leaves no process behind', async () => {
    const first = postgres();
    await query((await first.start()).databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = serverPid();
    await first.stop();
    await first.stop();
    expect(isRunning(pid)).toBe(false);

    const { databaseUrl, adopted } = await postgres().start();

    expect(adopted).toBe(false);
    expect(await query(databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('adopts the survivor of a parent that was killed', async () => {
    const url = await startInKilledParent();

    const { databaseUrl, adopted } = await postgres().start();

    expect({ databaseUrl, adopted }).toEqual({ databaseUrl: url, adopted: true });
    expect(await query(databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('recovers when the server was killed, on the same port', async () => {
    const server = postgres();
    const { databaseUrl } = await server.start();
    await query(databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(serverPid(), 'SIGKILL');

    const again = await server.start();

    expect(again).toEqual({ databaseUrl, adopted: false });
    expect(await query(databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('starts after a server that is still shutting down', async () => {
    const first = postgres();
    await first.start();
    const stopping = first.stop();

    const { databaseUrl } = await postgres().start();
    await stopping;

    expect(await query(databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it("shows the server's log when it does not start", async () => {
    const first = postgres();
    await first.start();
    await first.stop();
    await unlink(join(folder, 'db/postgres/data/global/pg_control'));

    await expect(postgres().start()).rejects.toThrow(/could not find the database system/);
  });
});

describe('mendLinks', () => {
  it('makes the library links that a skipped postinstall left out', async () => {
    const installed = dirname(dirname(require.resolve(`@embedded-postgres/${platform()}`)));
    const copy = join(folder, 'package/native');
    await cp(join(installed, 'native'), copy, {
      recursive: true,
      filter: (path) => !/\.so(\.\d+)?$|\.\d+\.dylib$/.test(path),
    });

    expect(await mendLinks(copy)).toBe(true);

    const names = (path: string) => readdirSync(join(path, 'lib')).sort();
    expect(names(copy)).toEqual(expect.arrayContaining(['libicui18n.so.60', 'libpq.so.5']));
  });
});

function platform(): string {
  return `${process.platform}-${process.arch}`;
}

function postgres(): EmbeddedPostgres {
  const server = new EmbeddedPostgres({ dataDir: join(folder, 'db'), durable: false });
  started.push(server);
  return server;
}

function serverPid(): number {
  const file = join(folder, 'db/postgres/data/postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function startInKilledParent(): Promise<string> {
  const program = `
    const { EmbeddedPostgres } = require(${JSON.stringify(join(__dirname, 'embedded-postgres.ts'))});
    new EmbeddedPostgres({ dataDir: ${JSON.stringify(join(folder, 'db'))}, durable: false })
      .start().then(({ databaseUrl }) => { console.log(databaseUrl); setInterval(() => {}, 1e3); });
  `;
  const parent = spawn(process.execPath, [...RUN_SOURCES, '-e', program], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return line.toString().trim();
}
