import { fork, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';
import { loadConfig } from '@fiado/chassis/config';
import { SupervisorConfig } from '../../../apps/supervisor/src/config';
import { migrateAll } from '../../../apps/supervisor/src/migrate';
import { RAW_OUTPUT } from '../../../apps/supervisor/src/service-output';
import { loadSecrets } from '../../../apps/supervisor/src/secrets';
import {
  environmentOf,
  type Installation,
  migrationEnvironmentOf,
} from '../../../apps/supervisor/src/service-environment';
import { SERVICES, type ServiceDefinition } from '../../../apps/supervisor/src/services';
import { openApi, waitFor, type Api } from '../support/api';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { sendToEither } from './send-to-either';

/** Root of this build. */
const ROOT = resolve(__dirname, '../../..');
/** On a busy machine. */
const READY_DEADLINE_MS = 150_000;
const MAX_STARTS = 5;
/**
 * The one wholesaler sells hundreds of orders in the minute; its cap would have them wait for the
 * next.
 */
const SMS_CAP = '100000';

/** A process of a service, on a port that it keeps. */
export interface Member {
  service: ServiceDefinition;
  port: number;
  /** SIGTERM, then the next one on the same port. @returns the exit code of the old one */
  restart(): Promise<number | null>;
}

/** Processes of each service on one database, callers last. Those of a service stand side by side. */
export interface Fleet {
  api: Api;
  members: Member[];
  /** The owner's URL of the database. */
  databaseUrl: string;
  /** Requests that had to be sent a second time. */
  repeated(): number;
  /** Migrates to this build, of which the processes are that start from now on. */
  upgrade(): Promise<void>;
  /** Sets all secrets but the admin's key, for the processes that start from now on. */
  setSecrets(current: Generation, previous?: Generation): void;
  /** @throws Error when a process ended by itself */
  dispose(): Promise<void>;
}

/** The secrets of the fleet's start, or those that take their place. */
type Generation = 'old' | 'new';

interface FleetOptions {
  /** Processes of each service: one or two. */
  instances: 1 | 2;
  /** Root of an earlier build, of which schemas and processes are until upgrade(). */
  upgradeFrom?: string | undefined;
  /** Variables of the system, in addition to those that every fleet has. */
  config?: Record<string, string>;
  /** A script that each process loads first, and its variables. */
  preload?: { file: string; env: Record<string, string> };
  /** Another way to the database for the processes, such as a proxy. */
  through?: (databaseUrl: string) => Promise<string>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { instances, config = {}, through = (url) => Promise.resolve(url) } = options;
  const postgres = await startTemporaryPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-rolling-'));
  const running = new Running(resolve(options.upgradeFrom ?? ROOT), options.preload);
  const dispose = async () => {
    running.closed = true;
    await Promise.all([...running.children].map(end));
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
    if (running.lost.length > 0) throw new Error(`Ended by themselves: ${running.lost.join()}`);
  };
  try {
    const { url: databaseUrl } = postgres;
    const ports = await freePorts(SERVICES.length * instances);
    const portsOf = (index: number) =>
      Array.from({ length: instances }, (_, nth) => ports[nth * SERVICES.length + index]);
    const url = await through(databaseUrl);
    const installation = await prepare({ dataDir, databaseUrl: url, config, portsOf });
    await migrateWith(running.root, installation);

    const members = SERVICES.flatMap((service, index) =>
      portsOf(index).map((port = 0) => new Process(service, port, installation, running)),
    ).toReversed();
    await Promise.all(members.map((member) => member.start()));

    const bases = portsOf(0).map((port) => `http://127.0.0.1:${port}`);
    const sender = sendToEither(bases);
    return {
      api: openApi(bases[0] ?? '', installation.secrets.OPS_API_KEY, {
        request: sender.send,
        takesEarlierAnswers: running.root !== ROOT,
      }),
      members,
      databaseUrl,
      repeated: () => sender.repeated(),
      upgrade: async () => {
        await migrateWith(ROOT, installation);
        running.root = ROOT;
      },
      setSecrets: await secretsSetter(installation),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface Preparation {
  dataDir: string;
  databaseUrl: string;
  config: Record<string, string>;
  portsOf: (index: number) => (number | undefined)[];
}

/** The supervisor's own configuration, in which a service may have two addresses. */
async function prepare({
  dataDir,
  databaseUrl,
  config: own,
  portsOf,
}: Preparation): Promise<Installation> {
  const addresses = SERVICES.slice(1).map(({ name }, index) => [
    `${name.toUpperCase()}_URL`,
    portsOf(index + 1)
      .map((port) => `http://127.0.0.1:${port}`)
      .join(','),
  ]);
  const config = loadConfig(SupervisorConfig, {
    ...Object.fromEntries(addresses),
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '0',
    SMS_PER_WHOLESALER_PER_MINUTE: SMS_CAP,
    LOG_LEVEL: 'error',
    JOB_BUNDLES: 'on',
    ...own,
  });
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const secrets = await loadSecrets(config, dataDir);
  return { config, secrets, databaseUrl, inherited };
}

async function migrateWith(root: string, installation: Installation): Promise<void> {
  const script = join(root, 'apps/supervisor/dist/migrate-schemas/main.js');
  const env = migrationEnvironmentOf(installation);
  await migrateAll({ script, env, output: RAW_OUTPUT }, new AbortController().signal);
}

async function secretsSetter(installation: Installation): Promise<Fleet['setSecrets']> {
  const { config, secrets } = installation;
  const folder = await mkdtemp(join(config.DATA_DIR, 'new-secrets-'));
  const generations = { old: { ...secrets }, new: await loadSecrets(config, folder) };
  const { OPS_API_KEY: _opsKey, ...exchanged } = secrets;
  const names = Object.keys(exchanged) as (keyof typeof exchanged)[];
  return (current, previous) => {
    for (const name of names) {
      secrets[name] = generations[current][name];
      const before = previous === undefined ? undefined : generations[previous][name];
      Object.assign(config, { [`${name}_PREVIOUS`]: before });
    }
  };
}

/** The processes there are; none is added to a fleet that is being disposed of. */
class Running {
  readonly children = new Set<ChildProcess>();
  /** Those that ended by themselves once they were ready, and how. */
  readonly lost: string[] = [];
  closed = false;

  constructor(
    /** Root of the build that starts. */
    public root: string,
    readonly preload: FleetOptions['preload'],
  ) {}
}

class Process implements Member {
  #child: ChildProcess | undefined;
  /** From a start to the stop that follows: a start that fails is tried again. */
  #isReady = false;

  constructor(
    readonly service: ServiceDefinition,
    readonly port: number,
    private readonly installation: Installation,
    private readonly running: Running,
  ) {}

  async start(): Promise<void> {
    let startsLeft = MAX_STARTS;
    let child: ChildProcess | undefined;
    await waitFor(async () => {
      // As a supervisor does: on a busy machine a start may miss its time to connect.
      if (child === undefined || child.exitCode !== null) {
        if (startsLeft === 0) throw new Error(`${this.service.name} ended at its start`);
        startsLeft -= 1;
        child = this.spawn();
      }
      const url = `http://127.0.0.1:${this.port}/health/ready`;
      const answer = await fetch(url).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.status === 200 || undefined;
    }, READY_DEADLINE_MS);
    this.#isReady = true;
  }

  private spawn(): ChildProcess {
    const { root, preload } = this.running;
    if (this.running.closed) throw new Error('The fleet is gone');
    const env = {
      ...environmentOf(this.service, this.installation),
      [this.service.portVariable]: String(this.port),
      ...preload?.env,
    };
    const execArgv = preload === undefined ? [] : ['--require', preload.file];
    const stdout = preload === undefined ? 'inherit' : 'ignore';
    const stdio: StdioOptions = ['ignore', stdout, 'inherit', 'ipc'];
    const script = join(root, 'services', this.service.name, 'dist/main.js');
    const child = fork(script, [], { env, execArgv, stdio });
    this.#child = child;
    this.running.children.add(child);
    child.once('exit', (code, signal) => {
      this.running.children.delete(child);
      if (this.#isReady && !this.running.closed) {
        this.running.lost.push(`${this.service.name} on ${this.port}: ${code ?? signal}`);
      }
    });
    return child;
  }

  async restart(): Promise<number | null> {
    this.#isReady = false;
    const code = this.#child === undefined ? null : await end(this.#child);
    await this.start();
    return code;
  }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await gone) as [number | null];
  return code;
}
