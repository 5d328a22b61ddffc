import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../../e2e/support/api';
import type { Stage } from '../run-under-load';
import type { Deployment } from '../support/deployment';
import { noDamage, stopRedis, type Damage } from '../support/inflict';
import { LONG_OUTAGE_MS, PROXIED } from '../support/schedule';
import { drained, firstWorkAt } from '../support/recovery';
import { countBacklog } from '../support/settle';
import type { Scenario } from './scenario';

const WORK_FIRST_MS = 4_000;
const READINESS_POLL_MS = 500;
/** From the start of Redis to the first effect of a job. */
const FIRST_WORK_BAR_MS = 3_000;
/** From the start of Redis to the last effect of what was wanted before. */
const BACKLOG_BAR_MS = 60_000;

/**
 * Redis is killed with all it holds and stays away for 20 s: every service stays ready, work begins
 * within 3 s of its return, and what was wanted before has had its effect within a minute.
 */
export const redisOutage: Scenario = {
  backends: ['redis'],
  seconds: 34,
  disturb: async ({ deployment }: Stage): Promise<Damage> => {
    const damage = noDamage();
    await sleep(WORK_FIRST_MS);
    await Promise.all([
      stopRedis(deployment, LONG_OUTAGE_MS, damage),
      watchReadiness(deployment, damage, Date.now() + LONG_OUTAGE_MS),
    ]);

    const backAt = damage.redisOutages[0]?.to ?? 0;
    const backlog = await countBacklog(deployment.database, backAt);
    const firstMs = (await firstWorkAt(deployment.database, backAt)) - backAt;
    const drainedMs = await drained(deployment.database, backAt, 2 * BACKLOG_BAR_MS);

    damage.measured.push(
      `Redis away for ${LONG_OUTAGE_MS / 1_000} s: first work ${Math.round(firstMs)} ms after its ` +
        `start, the backlog of ${backlog} jobs gone after ${drainedMs} ms`,
    );
    if (backlog === 0) damage.violations.push('nothing waited for Redis');
    if (firstMs > FIRST_WORK_BAR_MS) damage.violations.push(`first work after ${firstMs} ms`);
    if (drainedMs > BACKLOG_BAR_MS) damage.violations.push(`the backlog took ${drainedMs} ms`);
    return damage;
  },
};

async function watchReadiness(
  deployment: Deployment,
  damage: Damage,
  until: number,
): Promise<void> {
  const notReady = new Set<string>();
  for (; Date.now() < until; await sleep(READINESS_POLL_MS)) {
    for (const service of PROXIED)
      if (!(await isReady(deployment.ports[service]))) notReady.add(service);
  }
  for (const service of notReady) damage.violations.push(`${service} was not ready without Redis`);
}
