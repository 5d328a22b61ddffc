/**
 * Proves that the simulation tests the product: each patch of test/mutants breaks one rule in the
 * product's own files, and the simulation must notice it in the history that the patch names. Where
 * that history misses it, others of the same seed are tried. With --search it looks for a history that
 * fails each time, and writes it into the patch. Works on a copy of the repository in a temporary
 * folder, so the checkout stays as it is, also when this is interrupted.
 */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { copyRepository } from './copy-repository';
import { resultOf, startSimulation, type Histories, type Run } from './run-simulation';

const ROOT = join(__dirname, '..', '..');
const MUTANTS = join('test', 'mutants');
/** A mutant that lives through so many histories has survived a search. */
const HISTORIES = 300;
/** Mutants at a time. A simulation keeps one core busy. */
const COPIES = 2;
/** So often a found history must fail again. */
const CONFIRMATIONS = 10;
/** Where the history of a patch misses: so often it is tried again, and then so many others. */
const SECOND_TRIES = 5;
const SECOND_HISTORIES = 100;
/** All of that ends after so long. */
const SECOND_LOOK_MS = 180_000;
/** Of a search; SIMULATION_SEED names another. */
const SEED = process.env.SIMULATION_SEED ?? '1';
/** The first line of a patch. */
const CAUGHT_BY = /^Caught by seed (\d+), history (\d+)\.\n/;

/** Runs the simulation. A run that is ended early has passed as far as it came. */
type Simulate = (histories: Histories, endsAfterMs?: number) => Promise<Run>;

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
      const simulate: Simulate = async (histories, endsAfterMs) => {
        const child = startSimulation(folder, databaseUrl, histories);
        children.add(child);
        const ended = await resultOf(child, endsAfterMs);
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

/** The history that a patch names must fail with it, or one of the others that are tried then. */
async function repeat(copy: Copy, name: string): Promise<Line> {
  const history = historyOf(name);
  if (history === undefined) return bad(name, 'names no history; run with --search');
  const mutant = await mutated(copy, name, { SIMULATION_REPLAY: history });
  if (mutant.passed) return lookAgain(copy, name, history);
  if (mutant.failure === undefined) return bad(name, `broke the run\n${mutant.output}`);
  return { name, outcome: `caught by ${history}`, good: true };
}

/**
 * Two steps at the same time may go another way in another run, and a changed draw makes other
 * histories of a seed. So a miss of one history does not mean that the simulation cannot see the
 * broken rule: the history is tried some times more, then others of its seed.
 */
async function lookAgain(copy: Copy, name: string, history: string): Promise<Line> {
  const endsAt = Date.now() + SECOND_LOOK_MS;
  const again = await mutated(copy, name, timesOf(history, SECOND_TRIES), SECOND_LOOK_MS);
  if (again.failure !== undefined) {
    const outcome = `caught by ${history}, ${again.failures} times of ${SECOND_TRIES + 1}`;
    return { name, outcome, good: true };
  }

  const [seed = SEED] = history.split('/');
  const others = {
    SIMULATION_SEED: seed,
    SIMULATION_HISTORIES: String(SECOND_HISTORIES),
  };
  const { failure } = await mutated(copy, name, others, endsAt - Date.now());
  if (failure === undefined) {
    return bad(name, `not caught by ${history} nor by others of its seed; run with --search`);
  }
  const other = `${seed}/${failure.history}`;
  const product = await copy.simulate({ SIMULATION_REPLAY: other });
  if (!product.passed) return bad(name, `the product itself fails\n${product.output}`);
  const outcome = `caught by ${other}, no longer by ${history}; --search writes another`;
  return { name, outcome, good: true };
}

/**
 * Looks for a history that fails with the patch, and writes it into it. It must fail each time, also
 * where it depends on two steps at the same time.
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
    const again = timesOf(`${SEED}/${failure.history}`, CONFIRMATIONS);
    if ((await mutated(copy, name, again)).failures === CONFIRMATIONS) {
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

/** The same history several times in one run. */
function timesOf(history: string, times: number): Histories {
  return { SIMULATION_REPLAY: Array.from({ length: times }, () => history).join() };
}

/** Runs with the patch applied to the copy. A patch that does not apply has broken the run. */
async function mutated(
  { folder, simulate }: Copy,
  name: string,
  histories: Histories,
  endsAfterMs?: number,
): Promise<Run> {
  try {
    execFileSync('git', ['apply', pathOf(name)], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    return { passed: false, failures: 0, failure: undefined, output: String(error) };
  }
  const ended = await simulate(histories, endsAfterMs);
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
