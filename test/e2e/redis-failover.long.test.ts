import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { runUnderLoad } from '../chaos/run-under-load';
import { redisFailover } from '../chaos/scenarios/redis-failover';

/** Set CHAOS_SEED to a seed that a failed run has in its title to make the same choices again. */
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
/** Longer than all deadlines of the scenario in a row: a violation is named, and not cut off. */
const TIMEOUT_MS = 400_000;

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stdout.write('No redis-server: a failover of Redis is not tested\n');

(hasRedis ? it : it.skip).each(redisFailover.backends)(
  `on %s no SMS is lost or sent twice when the master is killed (seed ${seed})`,
  async (backend) => {
    const { violations, record } = await runUnderLoad({
      ...redisFailover,
      name: 'redis-failover',
      seed,
      backend,
      disturb: (stage) => redisFailover.disturb(stage, { waiting: 0 }),
    });

    expect({ violations, record }).toEqual({ violations: [], record: undefined });
  },
  TIMEOUT_MS,
);
