import { inflict, slowestReady, type Damage } from '../support/inflict';
import type { Stage } from '../run-under-load';
import type { Scenario } from './scenario';

const WORK_FIRST_MS = 4_000;
/** Twice as long as the tries of a job take. */
const OUTAGE_MS = 120_000;
/** The work of the clients afterwards. */
const AFTERMATH_S = 12;
const PUT_BACK = 'a job is put back';

/**
 * Postgres is stopped at once and away for two minutes: no job becomes a dead letter, and what was
 * wanted before has its effect afterwards.
 */
export const longDatabaseOutage: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: (WORK_FIRST_MS + OUTAGE_MS) / 1_000 + AFTERMATH_S,
  disturb: async ({ deployment, history, output }: Stage): Promise<Damage> => {
    const damage = await inflict(deployment, [
      { atMs: WORK_FIRST_MS, fault: { kind: 'database', forMs: OUTAGE_MS } },
    ]);
    const putBack = output.lines.filter(({ text }) => text.includes(PUT_BACK)).length;
    damage.measured.push(
      `Postgres away for ${OUTAGE_MS / 1_000} s: every service ready at most ` +
        `${slowestReady(damage)} ms after it; ${putBack} jobs put back; ` +
        `${history.unavailable} answers 503`,
    );
    if (history.unavailable === 0) damage.violations.push('nobody noticed the outage');
    return damage;
  },
};
