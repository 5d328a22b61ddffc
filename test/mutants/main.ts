/**
 * Proves that the simulation tests the product: each patch of test/mutants breaks one rule in the
 * product's own files, and the simulation must notice it in the history that the patch names. With
 * --search it looks for that history, and writes it into the patch. Works on a copy of the repository
 * in a temporary folder, so the checkout stays as it is, also when this is interrupted.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { copyRepository } from './copy-repository';

const ROOT = join(__dirname, '..', '..');
const MUTANTS = join('test', 'mutants');
/** A mutant that lives through so many histories has survived a search. */
const HISTORIES = 300;
/** Mutants at a time. A simulation keeps one core busy. */
const COPIES = 2;
/** So often a found history must fail again. */
const CONFIRMATIONS = 4;
/** Of a search; SIMULATION_SEED names another. */
const SEED = process.env.SIMULATION_SEED ?? '1';
/** The first line of a patch. */
const CAUGHT_BY = /^Caught by seed (\d+), history (\d+)\.\n/;

/** Variables that choose the histories of the simulation. */
type Histories = Record<string, string>;

interface Run {
  passed: boolean;
  /** What the simulation printed of the history that failed. */
  failure: { seed: string; history: number } | undefined;
  output: string;
}

type Simulate = (histories: Histories) => Promise<Run>;

/** A copy of the repository, and the simulation in it. */
interface Copy {
  folder: string;
  simulate: Simulate;
}

interface Line {
  name: string;
  outcome: string;
  good: boolean;
}

async function main(args: string[]): Promise<void> {
  const searches = args.includes('--search');
  const named = patches(args.filter((arg) => !arg.startsWith('--')));
  const home = mkdtempSync(join(tmpdir(), 'fiado-mutants-'));
  const postgres = new EmbeddedPostgres({
    dataDir: join(home, 'database'),
    durable: false,
    maxConnections: 100,
  });
  const children = new Set<ChildProcess>();
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      for (const child of children) child.kill();
    });
  }

  try {
    const { databaseUrl } = await postgres.start();
    const copies = Array.from({ length: COPIES }, (_, at): Copy => {
      const folder = join(home, `copy-${at}`);
      copyRepository(folder);
      const simulate: Simulate = async (histories) => {
        const child = startSimulation(folder, databaseUrl, histories);
        children.add(child);
        const ended = await run(child);
        children.delete(child);
        // What stands below "finally" still cleans up.
        if (interrupted) throw new Error('interrupted');
        return ended;
      };
      return { folder, simulate };
    });
    const [{ simulate }] = copies as [Copy];
    if (!searches) await requireProductPasses(named, simulate);
    const waiting = named.values();
    const tryMutants = async (copy: Copy): Promise<void> => {
      for (const name of waiting) print(await (searches ? searchFor : repeat)(copy, name));
    };
    await Promise.all(copies.map(tryMutants));
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

function startSimulation(copy: string, databaseUrl: string, histories: Histories): ChildProcess {
  const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--selectProjects', 'simulation', '--testPathPatterns', 'simulation.test.ts'];
  return spawn(process.execPath, [jest, ...args], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      ...histories,
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

/** Such as "1/19"; undefined if the patch names none. */
function historyOf(name: string): string | undefined {
  const [, seed, number] = CAUGHT_BY.exec(readFileSync(pathOf(name), 'utf8')) ?? [];
  return seed === undefined ? undefined : `${seed}/${number}`;
}

/** The histories that the patches name must pass without them: else they prove nothing. */
async function requireProductPasses(names: string[], simulate: Simulate): Promise<void> {
  const histories = names.map(historyOf).filter((history) => history !== undefined);
  if (histories.length === 0) return;
  const product = await simulate({ SIMULATION_REPLAY: [...new Set(histories)].join() });
  if (!product.passed) throw new Error(`The product itself fails\n${product.output}`);
}

/** The history that a patch names must fail with it. */
async function repeat(copy: Copy, name: string): Promise<Line> {
  const history = historyOf(name);
  if (history === undefined) return bad(name, 'names no history; run with --search');
  const mutant = await mutated(copy, name, { SIMULATION_REPLAY: history });
  if (mutant.passed) return bad(name, `not caught by ${history}; run with --search`);
  if (mutant.failure === undefined) return bad(name, `broke the run\n${mutant.output}`);
  return { name, outcome: `caught by ${history}`, good: true };
}

/**
 * Looks for a history that fails with the patch, and writes it into it. Steps at the same time may go
 * another way in another run, so the history must fail again each time.
 */
async function searchFor(copy: Copy, name: string): Promise<Line> {
  for (let first = 0; first < HISTORIES;) {
    const { passed, failure, output } = await mutated(copy, name, {
      SIMULATION_SEED: SEED,
      SIMULATION_FIRST: String(first),
      SIMULATION_HISTORIES: String(HISTORIES - first),
    });
    if (passed) break;
    if (failure === undefined) return bad(name, `broke the run\n${output}`);
    const one = { SIMULATION_REPLAY: `${SEED}/${failure.history}` };
    if (await failsAgain(() => mutated(copy, name, one))) {
      const line = `Caught by seed ${SEED}, history ${failure.history}.\n`;
      const patch = readFileSync(pathOf(name), 'utf8').replace(CAUGHT_BY, '');
      writeFileSync(pathOf(name), line + patch);
      await requireProductPasses([name], copy.simulate);
      return repeat(copy, name);
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
async function mutated(
  { folder, simulate }: Copy,
  name: string,
  histories: Histories,
): Promise<Run> {
  try {
    execFileSync('git', ['apply', pathOf(name)], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    return { passed: false, failure: undefined, output: String(error) };
  }
  const ended = await simulate(histories);
  execFileSync('git', ['apply', '--reverse', pathOf(name)], { cwd: folder, stdio: 'pipe' });
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

void main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
