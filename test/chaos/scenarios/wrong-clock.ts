import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@fiado/contracts/process-names';
import { isReady, waitFor } from '../../e2e/support/api';
import type { Stage } from '../run-under-load';
import { inflict, noDamage, type Damage } from '../support/inflict';
import { Instance } from '../support/instance';
import { PROXIED } from '../support/schedule';
import { countBacklog } from '../support/settle';
import type { Scenario } from './scenario';

const HOUR_MS = 3_600_000;
const WORK_FIRST_MS = 4_000;
/** How long the clock is wrong. */
const WRONG_MS = 30_000;
/** Processes with a correct clock are killed meanwhile, and others must take over their jobs. */
const KILLED: ProcessName[] = ['notifier', 'payments', 'transactions'];
const KILL_AFTER_MS = 8_000;
/** From a clock that is right again to a process that is ready again. */
const READY_BAR_MS = 15_000;
/** From the end of the wrong time to the effect of all that was wanted in it. */
const BACKLOG_BAR_MS = 60_000;

/** The clock of one of two processes of each service jumps an hour ahead, and back. */
export const clockAhead = wrongClock(HOUR_MS);
/** The same, an hour behind. */
export const clockBehind = wrongClock(-HOUR_MS);

function wrongClock(turnMs: number): Scenario {
  return {
    backends: ['postgres', 'redis'],
    seconds: 45,
    disturb: async (stage: Stage): Promise<Damage> => {
      const damage = noDamage();
      const others: Instance[] = [];
      try {
        for (const service of PROXIED) {
          others.push(await Instance.start(stage.deployment, service, { clockTurnMs: turnMs }));
        }
        await turnAndBack(stage, others, damage);
      } finally {
        const codes = await Promise.all(others.map((other) => other.stop()));
        if (codes.some((code) => code !== 0)) {
          damage.violations.push(`the other processes ended with ${codes.join(', ')}`);
        }
      }
      return damage;
    },
  };
}

async function turnAndBack(
  { deployment, output }: Stage,
  others: Instance[],
  damage: Damage,
): Promise<void> {
  for (const { process } of others) output.follow(process);
  await sleep(WORK_FIRST_MS);
  for (const other of others) other.turnClock();
  const kills = KILLED.map((service, number) => ({
    atMs: KILL_AFTER_MS + number * 1_000,
    fault: { kind: 'kill' as const, service },
  }));
  await Promise.all([sleep(WRONG_MS), inflict(deployment, kills, damage)]);
  for (const other of others) other.turnClock();

  const rightAt = Date.now();
  const [readyMs, drainedMs] = await Promise.all([
    elapsed(async () =>
      (await Promise.all(others.map(({ port }) => isReady(port)))).every(Boolean),
    ),
    elapsed(async () => (await countBacklog(deployment.database, rightAt)) === 0),
  ]);
  damage.measured.push(
    `4 workers with a wrong clock for ${WRONG_MS / 1_000} s: ready ${readyMs} ms after it was ` +
      `right again, all that was wanted meanwhile had its effect after ${drainedMs} ms`,
  );
  if (readyMs > READY_BAR_MS) damage.violations.push(`ready only after ${readyMs} ms`);
  if (drainedMs > BACKLOG_BAR_MS) damage.violations.push(`the backlog took ${drainedMs} ms`);
}

/** How long it takes until something holds; twice the longest bar when it does not. */
async function elapsed(holds: () => Promise<boolean>): Promise<number> {
  const from = Date.now();
  await waitFor(async () => (await holds()) || undefined, 2 * BACKLOG_BAR_MS).catch(() => false);
  return Date.now() - from;
}
