/**
 * Proves that the simulation tests the product: each patch of test/mutants breaks one rule in the
 * product's own files, and the simulation must notice it. Works on a copy of the repository in a
 * temporary folder, so the checkout stays as it is, also when this is interrupted.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';

const ROOT = join(__dirname, '..', '..');
const MUTANTS = join('test', 'mutants');
/** A mutant that lives through so many histories has survived. */
const HISTORIES = '300';
/** Fixed, so that a failure is repeated by running this again; SIMULATION_SEED names another. */
const SEED = '1';
interface Run {
  passed: boolean;
  /** What the simulation printed of the history that failed. */
  failure: { seed: string; history: number } | undefined;
  output: string;
}

interface Line {
  name: string;
  outcome: string;
  good: boolean;
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'fiado-mutants-'));
  const copy = join(home, 'copy');
  const postgres = new EmbeddedPostgres({
    dataDir: join(home, 'database'),
    durable: false,
    maxConnections: 100,
  });
  let child: ChildProcess | undefined;
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      child?.kill();
    });
  }
  const simulate = async (databaseUrl: string): Promise<Run> => {
    child = startSimulation(copy, databaseUrl);
    const ended = await run(child);
    // What stands below "finally" still cleans up.
    if (interrupted) throw new Error('interrupted');
    return ended;
  };

  try {
    copyRepository(copy);
    const { databaseUrl } = await postgres.start();
    const unmutated = describeUnmutated(await simulate(databaseUrl));
    print(unmutated);
    for (const name of unmutated.good ? patches() : []) {
      print(await tryMutant(copy, name, () => simulate(databaseUrl)));
    }
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function patches(): string[] {
  return readdirSync(join(ROOT, MUTANTS))
    .filter((file) => file.endsWith('.patch'))
    .map((file) => file.slice(0, -'.patch'.length))
    .toSorted();
}

/** All files of the checkout as they stand, with its packages linked beside them. */
function copyRepository(copy: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of files) {
    // A file that was deleted and not committed yet is still listed.
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  linkPackages(copy);
}

function linkPackages(copy: string): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@fiado'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    // Folders with a dot are caches, and the copy makes its own.
    if (name === '@fiado' || name.startsWith('.')) continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const folder of ['libs', 'services', 'apps']) {
    for (const name of readdirSync(join(copy, folder))) {
      symlinkSync(join(copy, folder, name), join(modules, '@fiado', name));
      const own = join(ROOT, folder, name, 'node_modules');
      if (existsSync(own)) symlinkSync(own, join(copy, folder, name, 'node_modules'));
    }
  }
}

function startSimulation(copy: string, databaseUrl: string): ChildProcess {
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
  return spawn(process.execPath, [vitest, 'run', '--project', 'simulation', '--root', copy], {
    cwd: copy,
    env: {
      SIMULATION_SEED: SEED,
      ...process.env,
      SIMULATION_HISTORIES: HISTORIES,
      SIMULATION_SHRINK: 'no',
      TEST_DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(child: ChildProcess): Promise<Run> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [, seed, history] = /failed: seed (\d+), history (\d+)/.exec(output) ?? [];
  const failure = seed === undefined ? undefined : { seed, history: Number(history) };
  return { passed: code === 0, failure, output };
}

function describeUnmutated({ passed, output }: Run): Line {
  const name = 'the product as it is';
  if (passed) return { name, outcome: `green after ${HISTORIES} histories`, good: true };
  return { name, outcome: `red, so no mutant was tried\n${output}`, good: false };
}

async function tryMutant(copy: string, name: string, simulate: () => Promise<Run>): Promise<Line> {
  const patch = join(ROOT, MUTANTS, `${name}.patch`);
  try {
    execFileSync('git', ['apply', patch], { cwd: copy, stdio: 'pipe' });
  } catch (error) {
    return { name, outcome: `the patch does not apply: ${String(error)}`, good: false };
  }
  const { passed, failure, output } = await simulate();
  execFileSync('git', ['apply', '--reverse', patch], { cwd: copy, stdio: 'pipe' });
  if (passed) return { name, outcome: `survived ${HISTORIES} histories`, good: false };
  if (failure === undefined) return { name, outcome: `broke the run\n${output}`, good: false };
  const { seed, history } = failure;
  return { name, outcome: `caught by seed ${seed} after ${history + 1} histories`, good: true };
}

/** One line of the table; a bad one makes the exit code 1. */
function print({ name, outcome, good }: Line): void {
  if (!good) process.exitCode = 1;
  process.stdout.write(`${good ? 'ok    ' : 'FAILED'} ${name.padEnd(28)} ${outcome}\n`);
}

void main();
