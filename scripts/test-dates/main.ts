import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startOfDateOrMoment } from '@fiado/contracts/request-dates';
import { runJest, runScript } from '../run-jest';

const DAY_S = 24 * 60 * 60;
const SUPPORT = resolve(__dirname, '../../../test/support');
/** Chooses the servers of `npm run test:containers`, or of `npm run test:oldest`. */
const OLDEST = new Set(['--containers', '--installed']);
const PROJECTS = ['unit', 'simulation', 'integration', 'e2e'];
const USAGE = `Name a later day or moment: npm run test:dates -- +40d [argument of Jest ...]
                        or: npm run test:dates -- 2028-02-29 [argument of Jest ...]
                        or: npm run test:dates -- 2028-02-29T05:58Z [argument of Jest ...]`;

/**
 * Runs the tests as they will run on a later day, at this time of the day, or from a later moment on: the projects
 * of `npm test`, or what the arguments choose. Node.js and PostgreSQL have that time; see test/support/time-ahead.cjs.
 * On Linux.
 */
async function main([time = '', ...args]: string[]): Promise<number> {
  const seconds = secondsUntil(time);
  if (seconds === undefined) throw new Error(USAGE);
  const folder = await mkdtemp(join(tmpdir(), 'fiado-dates-'));
  try {
    // PostgreSQL runs as another user.
    await chmod(folder, 0o755);
    const library = join(folder, 'time-ahead.so');
    compile(library);
    process.stdout.write(`It is ${new Date(Date.now() + seconds * 1_000).toISOString()}\n`);
    const { NODE_OPTIONS = '' } = process.env;
    const env = {
      ...process.env,
      NODE_OPTIONS: `${NODE_OPTIONS} --require ${join(SUPPORT, 'time-ahead.cjs')}`.trim(),
      TEST_SECONDS_AHEAD: String(seconds),
      TEST_TIME_AHEAD_LIBRARY: library,
    };
    if (args.some((arg) => OLDEST.has(arg))) {
      const rest = args.filter((arg) => arg !== '--containers');
      return await runScript([resolve(__dirname, '../test-on/main.js'), ...rest], env);
    }
    const projects = args.includes('--selectProjects') ? [] : ['--selectProjects', ...PROJECTS];
    return await runJest([...args, ...projects], env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Seconds from now until a moment, or until this time of a date or of `+40d`. @returns undefined unless it is later */
function secondsUntil(time: string): number | undefined {
  const [, days] = /^\+(\d{1,4})d$/.exec(time) ?? [];
  const moment = startOfDateOrMoment(time, 'UTC')?.getTime() ?? Number.NaN;
  const untilMoment = Math.round((moment - Date.now()) / 1_000);
  const wholeDays = Number(days ?? Math.ceil(untilMoment / DAY_S));
  const seconds = time.includes('T') ? untilMoment : wholeDays * DAY_S;
  return seconds > 0 ? seconds : undefined;
}

/** @throws Error without a compiler */
function compile(library: string): void {
  const options = ['-shared', '-fPIC', '-nostdlib', '-fno-builtin', '-o', library];
  const source = join(SUPPORT, 'time-ahead.c');
  const { status, stderr } = spawnSync('cc', [...options, source], { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    stderr || 'A C compiler is missing, which gives PostgreSQL its day: apt-get install gcc.',
  );
}

void main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
