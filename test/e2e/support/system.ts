import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ProcessName } from '@fiado/contracts/process-names';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { makeRoomyFolder } from '@fiado/embedded-postgres/testing/roomy-folder';
import { Client } from 'pg';
import { createSystemDatabase } from './database';
import { openApi, waitFor, type Api } from './api';

const ROOT = resolve(__dirname, '../../..');
/** A start takes seconds; a machine that is busy with something else needs more. */
const READY_DEADLINE_MS = 150_000;

/** All of Fiado as `npm start` runs it, started by this process or by another one. */
export interface RunningSystem extends Api {
  dataDir: string;
  /** Of the gateway and the services. */
  ports: number[];
  consoleUrl: string;
  supervisorPid: number;
  /** What the processes have printed so far. */
  output(): string;
  /** kill -9 of a service; the supervisor starts it again. */
  kill(service: ProcessName): void;
}

/** A system of a test's own, with a data folder of its own. */
export interface System extends RunningSystem {
  supervisor: ChildProcess;
  /** Opens a connection of its database's owner, until the system ends. Not if that is embedded. */
  connect(): Promise<Client>;
  /** SIGTERM to the supervisor. @returns its exit code */
  stop(): Promise<number | null>;
  /** Also removes the data folder, and the database if it was created for the system. */
  dispose(): Promise<void>;
}

export interface SystemOptions {
  env?: Record<string, string>;
  dataDir?: string;
  ports?: number[];
  /** True: on a PostgreSQL of its own, as with `npm start`. Otherwise on one that the run shares. */
  embedded?: boolean;
}

/** On a database of its own, unless the variables name one. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const dataDir = options.dataDir ?? (await makeRoomyFolder('fiado-e2e-'));
  const [consolePort, ...free] = await freePorts(6);
  const ports = options.ports ?? free;
  const isGiven = options.embedded === true || options.env?.DATABASE_URL !== undefined;
  const database = isGiven ? undefined : await createSystemDatabase();
  const url = database?.url ?? options.env?.DATABASE_URL;
  const opened: Client[] = [];
  const env = { CONSOLE_PORT: String(consolePort), ...database?.env, ...options.env };
  const supervisor = spawnSupervisor({ dataDir, ports, env });
  let printed = '';
  supervisor.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  supervisor.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exited = new Promise<number | null>((done) => supervisor.once('exit', done));

  await waitFor(() => {
    if (supervisor.exitCode !== null) throw new Error(`npm start ended:\n${printed}`);
    return Promise.resolve(/^ready in/m.test(printed) || undefined);
  }, READY_DEADLINE_MS).catch(async (error: unknown) => {
    // No caller will dispose of a system that it never got.
    supervisor.kill('SIGTERM');
    await exited;
    throw error;
  });

  const supervisorPid = supervisor.pid ?? 0;
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));

  return {
    ...openApi(`http://127.0.0.1:${ports[0]}`, secrets.OPS_API_KEY),
    dataDir,
    ports,
    consoleUrl: `http://localhost:${consolePort}`,
    supervisor,
    supervisorPid,
    output: () => printed,
    kill: (service) => process.kill(pidOf(supervisorPid, service), 'SIGKILL'),
    connect: async () => {
      if (url === undefined) throw new Error('The database of this system is embedded');
      const client = new Client({ connectionString: url });
      await client.connect();
      opened.push(client);
      return client;
    },
    stop: async () => {
      supervisor.kill('SIGTERM');
      return exited;
    },
    dispose: async () => {
      for (const client of opened) await client.end();
      if (supervisor.exitCode === null && supervisor.signalCode === null) {
        supervisor.kill('SIGTERM');
        await exited;
      }
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function spawnSupervisor({
  dataDir,
  ports,
  env,
}: Required<Omit<SystemOptions, 'embedded'>>): ChildProcess {
  const [PORT, ACCOUNTS_PORT, TRANSACTIONS_PORT, PAYMENTS_PORT, NOTIFIER_PORT] = ports.map(String);
  return spawn(process.execPath, ['apps/supervisor/dist/main.js'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT,
      ACCOUNTS_PORT,
      TRANSACTIONS_PORT,
      PAYMENTS_PORT,
      NOTIFIER_PORT,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '0',
      CONSOLE_RATE_LIMIT_PER_SECOND: '0',
      ...(process.env.REDIS_URL === undefined
        ? {}
        : { REDIS_URL: process.env.REDIS_URL, QUEUE_PREFIX: basename(dataDir) }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The process id of a service below a supervisor. */
export function pidOf(supervisorPid: number, service: ProcessName): number {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(supervisorPid)]);
  const line = children
    .toString()
    .split('\n')
    .find((text) => text.includes(`services/${service}/dist/main.js`));
  if (line === undefined) throw new Error(`${service} is not running`);
  return Number.parseInt(line.trim(), 10);
}

/** Every process right below a supervisor, the embedded database among them. */
export function childrenOf(supervisorPid: number): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(supervisorPid)]);
  return children.toString().trim().split('\n').map(Number);
}
