/**
 * Proves that the simulation tests the product: each patch of test/mutants breaks one rule in the
 * product's own files, and the simulation must notice it in the history that the patch names. With
 * --search it looks for that history, and writes it into the patch. Works on a copy of the repository
 * in a temporary folder, so the checkout stays as it is, also when this is interrupted.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';

const ROOT = join(__dirname, '..', '..');
const MUTANTS = join('test', 'mutants');
/** A mutant that lives through so many histories has survived a search. */
const HISTORIES = 300;
/** So often a found history must fail again. */
const CONFIRMATIONS = 4;
/** Of a search; SIMULATION_SEED names another. */
const SEED = process.env.SIMULATION_SEED ?? '1';
/** The first line of a patch. */
const CAUGHT_BY = /^Caught by seed (\d+), history (\d+)\.\n/;

/** Histories of the simulation: `count` of a seed, beginning with one of them. */
interface Histories {
  seed: string;
  first: number;
  count: number;
}

interface Run {
  passed: boolean;
  /** What the simulation printed of the history that failed. */
  failure: { seed: string; history: number } | undefined;
  output: string;
}

type Simulate = (histories: Histories) => Promise<Run>;

interface Line {
  name: string;
  outcome: string;
  good: boolean;
}

async function main(args: string[]): Promise<void> {
  const searches = args.includes('--search');
  const named = args.filter((arg) => !arg.startsWith('--'));
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
  const simulateOn =
    (databaseUrl: string): Simulate =>
    async (histories) => {
      child = startSimulation(copy, databaseUrl, histories);
      const ended = await run(child);
      // What stands below "finally" still cleans up.
      if (interrupted) throw new Error('interrupted');
      return ended;
    };

  try {
    copyRepository(copy);
    const { databaseUrl } = await postgres.start();
    const simulate = simulateOn(databaseUrl);
    const tryMutant = searches ? searchFor : repeat;
    for (const name of patches(named)) print(await tryMutant(copy, name, simulate));
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** All patches, or those with one of the words in their names. */
function patches(words: string[]): string[] {
  return readdirSync(join(ROOT, MUTANTS))
    .filter((file) => file.endsWith('.patch'))
    .map((file) => file.slice(0, -'.patch'.length))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
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

function startSimulation(copy: string, databaseUrl: string, histories: Histories): ChildProcess {
  const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
  return spawn(process.execPath, [jest, '--selectProjects', 'simulation'], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      SIMULATION_SEED: histories.seed,
      SIMULATION_FIRST: String(histories.first),
      SIMULATION_HISTORIES: String(histories.count),
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

/** The history that a patch names must fail with it, and pass without it. */
async function repeat(copy: string, name: string, simulate: Simulate): Promise<Line> {
  const [, seed = '', first = ''] = CAUGHT_BY.exec(readFileSync(pathOf(name), 'utf8')) ?? [];
  if (seed === '') return bad(name, 'names no history; run with --search');
  const history = { seed, first: Number(first), count: 1 };
  const product = await simulate(history);
  if (!product.passed) return bad(name, `the product fails without it\n${product.output}`);
  const mutant = await mutated(copy, name, () => simulate(history));
  if (mutant.passed) return bad(name, `not caught by ${first} of seed ${seed}; run with --search`);
  if (mutant.failure === undefined) return bad(name, `broke the run\n${mutant.output}`);
  return { name, outcome: `caught by seed ${seed}, history ${first}`, good: true };
}

/**
 * Looks for a history that fails with the patch, and writes it into it. Steps at the same time may go
 * another way in another run, so the history must fail again each time.
 */
async function searchFor(copy: string, name: string, simulate: Simulate): Promise<Line> {
  for (let first = 0; first < HISTORIES;) {
    const rest = { seed: SEED, first, count: HISTORIES - first };
    const { passed, failure, output } = await mutated(copy, name, () => simulate(rest));
    if (passed) break;
    if (failure === undefined) return bad(name, `broke the run\n${output}`);
    const one = { seed: SEED, first: failure.history, count: 1 };
    if (await failsAgain(() => mutated(copy, name, () => simulate(one)))) {
      const line = `Caught by seed ${SEED}, history ${failure.history}.\n`;
      const patch = readFileSync(pathOf(name), 'utf8').replace(CAUGHT_BY, '');
      writeFileSync(pathOf(name), line + patch);
      return repeat(copy, name, simulate);
    }
    first = failure.history + 1;
  }
  return bad(name, `survived ${HISTORIES} histories`);
}

async function failsAgain(once: () => Promise<Run>): Promise<boolean> {
  for (let time = 0; time < CONFIRMATIONS; time += 1) if ((await once()).passed) return false;
  return true;
}

/** Runs with the patch applied to the copy. A patch that does not apply has broken the run. */
async function mutated(copy: string, name: string, simulate: () => Promise<Run>): Promise<Run> {
  try {
    execFileSync('git', ['apply', pathOf(name)], { cwd: copy, stdio: 'pipe' });
  } catch (error) {
    return { passed: false, failure: undefined, output: String(error) };
  }
  const ended = await simulate();
  execFileSync('git', ['apply', '--reverse', pathOf(name)], { cwd: copy, stdio: 'pipe' });
  return ended;
}

function pathOf(name: string): string {
  return join(ROOT, MUTANTS, `${name}.patch`);
}

function bad(name: string, outcome: string): Line {
  return { name, outcome, good: false };
}

/** One line of the table; a bad one makes the exit code 1. */
function print({ name, outcome, good }: Line): void {
  if (!good) process.exitCode = 1;
  process.stdout.write(`${good ? 'ok    ' : 'FAILED'} ${name.padEnd(30)} ${outcome}\n`);
}

void main(process.argv.slice(2));
