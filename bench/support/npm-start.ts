import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { PROCESS_NAMES } from '@fiado/contracts/process-names';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { until } from '@fiado/chassis/testing/until';
import { Child } from './child';
import type { Cleanup } from './cleanup';

const ROOT = resolve(__dirname, '../../..');
const READY_DEADLINE_MS = 120_000;
const READY = /^ready in/m;
/** No cap may end the run. */
const NO_CAP = '1000000';

/** `npm start` in the checkout, with a data folder of the run's own. */
export class NpmStart {
  private constructor(
    private readonly child: Child,
    readonly url: string,
    /** From the command to its word that all is ready. */
    readonly readyMs: number,
  ) {}

  static async run(
    cleanup: Cleanup,
    {
      folder,
      dataDir,
      env = {},
    }: { folder: string; dataDir: string; env?: Record<string, string> },
  ): Promise<NpmStart> {
    const ports = await freePorts(PROCESS_NAMES.length);
    const portVariables = PROCESS_NAMES.map((name, at) => [
      name === 'gateway' ? 'PORT' : `${name.toUpperCase()}_PORT`,
      String(ports[at]),
    ]);
    const startedAt = performance.now();
    const child = new Child({
      name: `npm-start-${Date.now()}`,
      command: 'npm',
      args: ['start', '--silent', '--prefix', ROOT],
      env: {
        PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: homedir(),
        ...Object.fromEntries(portVariables),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        RATE_LIMIT_PER_SECOND: '0',
        SMS_PER_PHONE_PER_DAY: NO_CAP,
        SMS_PER_PHONE_AND_WHOLESALER_PER_DAY: NO_CAP,
        SMS_PER_WHOLESALER_PER_MINUTE: NO_CAP,
        ...env,
      },
      folder,
    });
    cleanup.add(() => child.stop());
    const isReady = (): boolean => {
      if (!child.running) throw new Error(`npm start ended:\n${child.tail()}`);
      return READY.test(child.tail());
    };
    await until('npm start is ready', isReady, READY_DEADLINE_MS);
    const readyMs = performance.now() - startedAt;
    return new NpmStart(child, `http://127.0.0.1:${ports[0]}`, readyMs);
  }

  /** Resident memory in MB of the supervisor and the services, without Postgres and npm itself. */
  memoryMb(): Map<string, number> {
    return new Map(this.processes().map(({ pid, args }) => [nameOf(args), residentMb(pid)]));
  }

  /** The memory of all of them in MB, in which a page that several share counts once. */
  memoryWithoutSharedMb(): number {
    return this.processes().reduce((sum, { pid }) => sum + proportionalMb(pid), 0);
  }

  private processes(): Running[] {
    return processesBelow(this.child.pid).filter(({ args }) => args.includes('/dist/main.js'));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

interface Running {
  pid: number;
  args: string;
}

/** All processes below one, by /proc; none on a machine that has none. */
function processesBelow(ancestor: number): Running[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const stat = read(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return pid === ancestor || (parent !== undefined && parent > 0 && isBelow(parent));
  };
  return [...parents.keys()]
    .filter(isBelow)
    .map((pid) => ({ pid, args: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }));
}

/** accounts, or supervisor. */
function nameOf(args: string): string {
  return /(\w+)\/dist\/main\.js/.exec(args)?.[1] ?? args;
}

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kb ?? Number.NaN) / 1_024;
}

function proportionalMb(pid: number): number {
  const kb = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kb ?? Number.NaN) / 1_024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has just ended
  }
}
