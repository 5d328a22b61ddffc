import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../run-under-load';
import { noDamage, type Damage } from '../support/inflict';
import { drained, firstWorkAt } from '../support/recovery';
import { countWanted } from '../support/settle';
import type { Scenario } from './scenario';

const WORK_FIRST_MS = 4_000;
/** From the new master to the last effect of what was wanted before: the sweeper's 30 s and its turn. */
const BACKLOG_BAR_MS = 60_000;
/** The returned server copies the new master meanwhile. */
const AFTERMATH_MS = 5_000;
const QUEUE_PREFIX = 'fiado';
/** A key of the notifier's queue. */
const KEY_OF_SMS = `{${QUEUE_PREFIX}-notifier}:notifier:wait`;

/**
 * The master that holds the queue of SMS is killed, and its replica takes its place without the last
 * writes: work goes on by itself, and no SMS is lost or sent twice.
 */
export const redisFailover: Scenario = {
  backends: ['redis-sentinel', 'redis-cluster'],
  seconds: 30,
  environment: { QUEUE_PREFIX },
  disturb: async ({ deployment }: Stage): Promise<Damage> => {
    const { database, replicas } = deployment;
    if (replicas === undefined) throw new Error('There is no Redis with replicas');
    const damage = noDamage();
    await sleep(WORK_FIRST_MS);

    const outage = { from: Date.now(), to: Infinity };
    damage.redisOutages.push(outage);
    await replicas.failOver(KEY_OF_SMS);
    outage.to = Date.now();
    const wanted = await countWanted(database, outage);
    const firstMs = (await firstWorkAt(database, outage.to)) - outage.to;
    const drainedMs = await drained(database, outage.to, 2 * BACKLOG_BAR_MS);
    await replicas.restart();
    await sleep(AFTERMATH_MS);

    damage.measured.push(
      `the master killed: another one after ${outage.to - outage.from} ms, first work ` +
        `${Math.round(firstMs)} ms later, the ${wanted} jobs of the time between had their effect after ${drainedMs} ms`,
    );
    // Some have their effect before the new master is noticed here.
    if (wanted === 0) damage.violations.push('no job was wanted while there was no master');
    if (drainedMs > BACKLOG_BAR_MS) damage.violations.push(`the backlog took ${drainedMs} ms`);
    return damage;
  },
};
