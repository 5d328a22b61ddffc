/** Scenarios that run at the same time: each has customers of its own. */
const PARALLEL = 4;

/** A text in the languages of the report. */
export interface Text {
  en: string;
  es: string;
}

/** One comparison of a scenario. */
interface Check {
  /** What was sent or read. */
  what: string;
  expected: string;
  got: string;
  ok: boolean;
}

/** The scenario finds that it cannot run here. */
export class SkippedError extends Error {}

/** Records what a scenario compared; a scenario passes if all of it is as expected. */
type Record = (what: string, expected: string | number, got: string | number) => void;

/** A rule that an integration must obey, and how it is tried. */
export interface Scenario<World> {
  id: string;
  title: Text;
  rule: Text;
  /** Needs the system for itself, as it sends a lot. */
  alone?: boolean;
  /** Why it cannot run here; undefined if it can. */
  skip?: (world: World) => string | undefined;
  run: (world: World, record: Record) => Promise<void>;
}

export interface Result {
  id: string;
  title: Text;
  rule: Text;
  status: 'passed' | 'failed' | 'skipped';
  checks: Check[];
  /** Why it was skipped, or the error that ended it. */
  note?: string;
  durationMs: number;
}

/**
 * Runs scenarios, those that need the system for themselves at the end.
 * @param only ids of those to run; all by default
 */
export async function runScenarios<World>(
  scenarios: ReadonlyArray<Scenario<World>>,
  world: World,
  only: readonly string[] = [],
): Promise<Result[]> {
  const chosen = scenarios.filter(({ id }) => only.length === 0 || only.includes(id));
  const results = new Map<string, Result>();
  const run = async (queue: Array<Scenario<World>>): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      results.set(one.id, await runScenario(one, world));
    }
  };
  const together = chosen.filter(({ alone }) => alone !== true);
  await Promise.all(Array.from({ length: PARALLEL }, () => run(together)));
  await run(chosen.filter(({ alone }) => alone === true));
  return chosen.flatMap(({ id }) => results.get(id) ?? []);
}

async function runScenario<World>(scenario: Scenario<World>, world: World): Promise<Result> {
  const { id, title, rule } = scenario;
  const startedAt = Date.now();
  const resultOf = (status: Result['status'], checks: Check[], note?: string): Result => ({
    id,
    title,
    rule,
    status,
    checks,
    ...(note !== undefined && { note }),
    durationMs: Date.now() - startedAt,
  });
  const skipped = scenario.skip?.(world);
  if (skipped !== undefined) return resultOf('skipped', [], skipped);
  const checks: Check[] = [];
  const record: Record = (what, expected, got) =>
    void checks.push({
      what,
      expected: String(expected),
      got: String(got),
      ok: String(expected) === String(got),
    });
  try {
    await scenario.run(world, record);
  } catch (error) {
    const status = error instanceof SkippedError ? 'skipped' : 'failed';
    return resultOf(status, checks, error instanceof Error ? error.message : String(error));
  }
  // A scenario that compared nothing has proved nothing.
  const passed = checks.length > 0 && checks.every(({ ok }) => ok);
  return resultOf(passed ? 'passed' : 'failed', checks);
}
