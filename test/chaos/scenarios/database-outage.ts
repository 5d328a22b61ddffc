import type { Stage } from '../run-under-load';
import { inflict, slowestReady, type Damage } from '../support/inflict';
import type { Scenario } from './scenario';

const OUTAGE_MS = 5_000;
/** Several outages, because a broken connection is a race. */
const OUTAGES_AT_MS = [4_000, 18_000, 32_000];

/**
 * Postgres is stopped at once and away for 5 s, three times: no process ends, every answer is a 503
 * with Retry-After, and each service is ready again within 5 s of its return.
 */
export const databaseOutage: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: 44,
  disturb: async ({ deployment, history }: Stage): Promise<Damage> => {
    const damage = await inflict(
      deployment,
      OUTAGES_AT_MS.map((atMs) => ({ atMs, fault: { kind: 'database', forMs: OUTAGE_MS } })),
    );
    const ready = slowestReady(damage);
    damage.measured.push(
      `${OUTAGES_AT_MS.length} outages of ${OUTAGE_MS / 1_000} s: every service ready at most ` +
        `${ready} ms after the database; ${history.unavailable} answers 503`,
    );
    if (history.unavailable === 0) damage.violations.push('nobody noticed the outages');
    return damage;
  },
};
