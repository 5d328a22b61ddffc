import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runSeed } from './run-seed';
import { runUnderLoad, type Stage, type Verdict } from './run-under-load';
import { SCENARIOS, type Scenario } from './scenarios/scenario';
import { Coverage, SEEDS_THAT_MEET_ALL } from './support/coverage';
import { faultText, scheduleOf, type Backend, type ReplicatedBackend } from './support/schedule';

const HELP = `npm run test:chaos -- [--seeds 10] [--seed N] [--backend postgres|redis|both] [--seconds 20]
npm run test:chaos -- --scenario NAME|all [--backend postgres|redis|both] [--waiting 100000]

Runs Fiado in real processes, breaks it by the schedule of each seed, and checks the invariants.
--seed runs that one seed; without it the first is drawn by chance. A scenario is one kind of trouble
that is too long for a schedule: ${Object.keys(SCENARIOS).join(', ')}.
A scenario of Redis with replicas runs with --backend redis or both, on Sentinels and on a Cluster.
--waiting sets how many SMS wait behind the cap in sms-backlog.
`;
const BACKENDS: Record<string, Backend[]> = {
  postgres: ['postgres'],
  redis: ['redis'],
  both: ['postgres', 'redis'],
};

interface Arguments {
  /** Their names; then no seed runs. */
  scenarios: string[];
  seeds: number[];
  backends: Backend[];
  seconds: number;
  waiting: number;
}

async function main(): Promise<void> {
  const wanted = readArguments();
  // Only --backend says where the queues live.
  delete process.env.REDIS_URL;
  const violations =
    wanted.scenarios.length > 0 ? await runScenarios(wanted) : await runSeeds(wanted);
  say(violations === 0 ? 'all that must hold does' : `${violations} violations`);
  process.exitCode = violations === 0 ? 0 : 1;
}

async function runScenarios({ scenarios, backends, waiting, seeds: [seed = 0] }: Arguments) {
  let violations = 0;
  for (const name of scenarios) {
    const scenario = SCENARIOS[name] as Scenario;
    for (const backend of scenario.backends.filter((one) => backends.includes(kindOf(one)))) {
      say(`${name} on ${backend}`);
      const disturb = (stage: Stage) => scenario.disturb(stage, { waiting });
      violations += tell(name, await runUnderLoad({ ...scenario, name, seed, backend, disturb }));
    }
  }
  return violations;
}

function kindOf(backend: Backend | ReplicatedBackend): Backend {
  return backend === 'postgres' ? 'postgres' : 'redis';
}

async function runSeeds({ seeds, backends, seconds }: Arguments): Promise<number> {
  let violations = 0;
  const coverages = new Map(backends.map((backend) => [backend, new Coverage(backend)]));
  for (const seed of seeds) {
    for (const [backend, coverage] of coverages) {
      violations += await runAndTell({ seed, backend, seconds }, coverage);
    }
  }
  for (const coverage of coverages.values()) {
    say(coverage.text());
    if (seeds.length < SEEDS_THAT_MEET_ALL) continue;
    for (const kind of coverage.missing()) {
      violations += 1;
      say(`  VIOLATION no seed met: ${kind}`);
    }
  }
  return violations;
}

async function runAndTell(
  options: { seed: number; backend: Backend; seconds: number },
  coverage: Coverage,
): Promise<number> {
  const { seed, backend, seconds } = options;
  say(`seed ${seed} on ${backend} for ${seconds} s`);
  for (const { atMs, fault } of scheduleOf(seed, options)) {
    say(`  ${(atMs / 1_000).toFixed(1).padStart(5)} s  ${faultText(fault)}`);
  }
  const verdict = await runSeed(options);
  coverage.add(verdict.inflicted);
  return tell(`seed ${seed} on ${backend}`, verdict);
}

/** @returns how many violations there are */
function tell(name: string, verdict: Verdict): number {
  const { operations, ok, unknown, unavailable, sms, readyAfterMs, settledMs } = verdict;
  say(
    `  ${operations} operations: ${ok} ok, ${unknown} unknown; ${unavailable} answers 503; ${sms} SMS; ` +
      `ready ${Math.max(0, ...readyAfterMs)} ms after the database; settled in ${settledMs} ms`,
  );
  for (const line of verdict.measured) say(`  ${line}`);
  for (const violation of verdict.violations) say(`  VIOLATION ${violation}`);
  if (verdict.record !== undefined) say(`  recorded in ${verdict.record}`);
  say(`${name}: ${verdict.violations.length === 0 ? 'good' : 'BAD'}\n`);
  return verdict.violations.length;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      seed: { type: 'string' },
      backend: { type: 'string', default: 'postgres' },
      seconds: { type: 'string', default: '20' },
      scenario: { type: 'string' },
      waiting: { type: 'string', default: '100000' },
      help: { type: 'boolean', default: false },
    },
  });
  const backends = BACKENDS[values.backend];
  const [count, seconds] = [Number(values.seeds), Number(values.seconds)];
  const waiting = Number(values.waiting);
  const first = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
  const scenarios = scenariosOf(values.scenario);
  const wrong =
    scenarios.some((name) => !(name in SCENARIOS)) ||
    ![count, seconds, waiting, first].every((number) => Number.isInteger(number) && number >= 0);
  if (values.help || backends === undefined || wrong) {
    say(HELP);
    process.exit(values.help ? 0 : 2);
  }
  const seeds = Array.from({ length: count }, (_, at) => first + at);
  return { scenarios, seeds, backends, seconds, waiting };
}

function scenariosOf(wanted: string | undefined): string[] {
  if (wanted === undefined) return [];
  return wanted === 'all' ? Object.keys(SCENARIOS) : [wanted];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
