import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../../e2e/support/api';
import type { Stage } from '../run-under-load';
import { awaitReady, noDamage, slowestReady, type Damage } from '../support/inflict';
import { PROXIED } from '../support/schedule';
import type { Scenario } from './scenario';

const WORK_FIRST_MS = 4_000;
/** How long the database's name leads to a server that takes no writes. */
const READ_ONLY_MS = 15_000;
/** How long a service may take to notice it: the ping of the database, once a second, and the slowness of this machine. */
const NOTICED_MS = 5_000;
/** The work of the clients afterwards. */
const AFTERMATH_S = 15;

/**
 * A failover whose name leads to the old primary for 15 s: connections break, and new ones reach a
 * server that takes no writes. No service is ready meanwhile, every answer is a 503 with
 * Retry-After, and no connection is left that takes no writes.
 */
export const readOnlyDatabase: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: (WORK_FIRST_MS + READ_ONLY_MS) / 1_000 + AFTERMATH_S,
  disturb: async ({ deployment, history }: Stage): Promise<Damage> => {
    const damage = noDamage();
    await sleep(WORK_FIRST_MS);
    const from = Date.now();
    await deployment.database.becomeReadOnly();
    await sleep(NOTICED_MS);
    for (const service of PROXIED) {
      if (await isReady(deployment.ports[service]))
        damage.violations.push(`${service} is ready without writes`);
    }
    await sleep(READ_ONLY_MS - NOTICED_MS);
    await deployment.database.becomeWritable();

    const outage = { from, to: Date.now() };
    damage.outages.push(outage);
    await Promise.all(
      PROXIED.map((service) => awaitReady(deployment, service, { outage, damage })),
    );
    damage.measured.push(
      `Postgres read-only for ${READ_ONLY_MS / 1_000} s: every service ready at most ` +
        `${slowestReady(damage)} ms after it; ${history.unavailable} answers 503`,
    );
    if (history.unavailable === 0) damage.violations.push('nobody noticed it');
    return damage;
  },
};
