import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { endProcess } from '@fiado/chassis/testing/end-process';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { until } from '@fiado/chassis/testing/until';
import { PROCESS_NAMES } from '@fiado/contracts/process-names';
import { makeRoomyFolder } from '@fiado/embedded-postgres/testing/roomy-folder';

const PORT_VARIABLES = [
  'PORT',
  'ACCOUNTS_PORT',
  'TRANSACTIONS_PORT',
  'PAYMENTS_PORT',
  'NOTIFIER_PORT',
  'CONSOLE_PORT',
];
/** Of util-linux; the one of macOS takes other options. */
export const SCRIPT = '/usr/bin/script';
const RUNNER = join(__dirname, 'run-supervisor.ts');
const STAND_IN = join(__dirname, 'stand-in-service.cjs');
/** Time limit; a start takes seconds, on a busy machine many. */
const WAIT_MS = 60_000;

/** A supervisor that runs in a process of its own. */
export interface RunningSupervisor {
  process: ChildProcess;
  output(): string;
  /** Resolves when the output holds the text. */
  says(text: string): Promise<void>;
  exitCode(): Promise<number | null>;
}

/** A folder with stand-ins of the services and of the console, free ports and a data folder. */
export interface TestInstallation {
  folder: string;
  dataDir: string;
  ports: Record<string, number>;
  /** Makes a stand-in behave badly: `gateway.unready`, `accounts.refuse`, … */
  control(what: string): void;
  events(): string[];
  environmentOf(program: string): Record<string, string>;
  run(env?: Record<string, string>, readyTimeoutMs?: number): RunningSupervisor;
  runOnTerminal(): RunningSupervisor;
  /** Stops what runs, then what the test adds, and removes the folder. */
  cleanUp(then?: () => Promise<void>): Promise<void>;
}

/** Copies a cluster that was made and stopped, where the global set-up has made one. */
export function copyCluster(dataDir: string): void {
  const { TEST_DATA_DIR } = process.env;
  if (TEST_DATA_DIR !== undefined) execFileSync('cp', ['-a', TEST_DATA_DIR, dataDir]);
}

/** Builds a system for one test. Its data folder holds a cluster, or does not exist yet. */
export async function createInstallation({ withCluster = true } = {}): Promise<TestInstallation> {
  const folder = await makeRoomyFolder('fiado-installation-');
  const dataDir = join(folder, 'data');
  mkdirSync(join(folder, 'control'));
  if (withCluster) copyCluster(dataDir);
  const places = [...PROCESS_NAMES.map((name) => `services/${name}`), 'apps/console'];
  const programs = [
    ...places.map((place) => [basename(place), `${place}/dist/main.js`] as const),
    ['migrate', 'apps/supervisor/dist/migrate-schemas/main.js'] as const,
  ];
  for (const [name, path] of programs) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    const args = [name, folder].map((text) => JSON.stringify(text));
    writeFileSync(join(folder, path), `require(${JSON.stringify(STAND_IN)})(${args.join()});\n`);
  }
  const free = await freePorts(PORT_VARIABLES.length);
  const ports = Object.fromEntries(PORT_VARIABLES.map((name, at) => [name, free[at] ?? 0]));
  const ownEnv = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...asText(ports) };
  const running: RunningSupervisor[] = [];
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  return {
    folder,
    dataDir,
    ports,
    control: (what) => writeFileSync(join(folder, 'control', what), ''),
    events: () => (existsSync(join(folder, 'events')) ? read('events').trim().split('\n') : []),
    environmentOf: (program) => JSON.parse(read(`${program}.env`)) as Record<string, string>,
    run: (env = {}, readyTimeoutMs = WAIT_MS) => {
      const all = { ...ownEnv, ...env };
      const supervisor = start([folder, String(readyTimeoutMs)], all);
      running.push(supervisor);
      return supervisor;
    },
    runOnTerminal: () => {
      const supervisor = startOnTerminal([folder, String(WAIT_MS)], ownEnv);
      running.push(supervisor);
      return supervisor;
    },
    cleanUp: async (then) => {
      for (const { process } of running) await endProcess(process, 'SIGTERM');
      await then?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** True when nothing listens on the port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

function start(args: string[], env: Record<string, string>): RunningSupervisor {
  const child = spawn(process.execPath, [...RUN_SOURCES, RUNNER, ...args], {
    env,
    // A group of its own, so that a test can press Ctrl-C on all of it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watch(child);
}

/**
 * On a pseudo-terminal, which `script` makes; what is written to its standard input is typed there.
 */
function startOnTerminal(args: string[], env: Record<string, string>): RunningSupervisor {
  const command = [process.execPath, ...RUN_SOURCES, RUNNER, ...args];
  const quoted = command.map((part) => `'${part}'`).join(' ');
  const child = spawn(SCRIPT, ['-qec', `exec ${quoted}`, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return watch(child);
}

function watch(child: ChildProcess): RunningSupervisor {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const over = () => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    output: () => output,
    says: async (text) => {
      await until(`it says "${text}"`, () => output.includes(text) || over(), WAIT_MS);
      if (!output.includes(text)) throw new Error(`It ended without "${text}":\n${output}`);
    },
    exitCode: async () => (await closed)[0],
  };
}

function asText(ports: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}
