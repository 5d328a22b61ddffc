import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startOfDateOrMoment } from '@fiado/contracts/request-dates';
import { runJest, runScript } from '../run-jest';

const DAY_MS = 24 * 60 * 60_000;
const SUPPORT = resolve(__dirname, '../../../test/support');
/** Chooses the servers of `npm run test:containers`, or of `npm run test:oldest`. */
const OLDEST = new Set(['--containers', '--installed']);
const PROJECTS = ['unit', 'simulation', 'integration', 'e2e'];
const USAGE = `Name a day after today: npm run test:dates -- +40d [argument of Jest ...]
                    or: npm run test:dates -- 2028-02-29 [argument of Jest ...]`;

/**
 * Runs the tests as they will run on a later day, at this time of the day: the projects of `npm test`, or what
 * the arguments choose. Node.js and PostgreSQL have that day; see test/support/days-ahead.cjs. On Linux.
 */
async function main([day = '', ...args]: string[]): Promise<number> {
  const days = daysUntil(day);
  if (days === undefined) throw new Error(USAGE);
  const folder = await mkdtemp(join(tmpdir(), 'fiado-dates-'));
  try {
    // PostgreSQL runs as another user.
    await chmod(folder, 0o755);
    const library = join(folder, 'days-ahead.so');
    compile(library);
    process.stdout.write(`Today is ${new Date(Date.now() + days * DAY_MS).toISOString()}\n`);
    const { NODE_OPTIONS = '' } = process.env;
    const env = {
      ...process.env,
      NODE_OPTIONS: `${NODE_OPTIONS} --require ${join(SUPPORT, 'days-ahead.cjs')}`.trim(),
      TEST_DAYS_AHEAD: String(days),
      TEST_DAYS_AHEAD_LIBRARY: library,
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

/** Days from today until a day, a date or `+40d`. @returns undefined unless it is a later day */
function daysUntil(day: string): number | undefined {
  const [, count] = /^\+(\d{1,4})d$/.exec(day) ?? [];
  const date = startOfDateOrMoment(day, 'UTC')?.getTime() ?? Number.NaN;
  const days = Number(count ?? Math.ceil((date - Date.now()) / DAY_MS));
  return days > 0 ? days : undefined;
}

/** @throws Error without a compiler */
function compile(library: string): void {
  const options = ['-shared', '-fPIC', '-nostdlib', '-fno-builtin', '-o', library];
  const source = join(SUPPORT, 'days-ahead.c');
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
