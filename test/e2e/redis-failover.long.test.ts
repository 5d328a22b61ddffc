import { randomInt } from 'node:crypto';
import { hasRedisServer } from '@fiado/chassis/testing/redis-server';
import { runUnderLoad } from '../chaos/run-under-load';
import { redisFailover } from '../chaos/scenarios/redis-failover';

/** Set CHAOS_SEED to a seed that a failed run has in its title to make the same choices again. */
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
/** The master is killed after four, and another one works a few later. */
const SECONDS = 16;
/** Longer than all deadlines of the scenario in a row: a violation is named, and not cut off. */
const TIMEOUT_MS = 400_000;

const hasRedis = hasRedisServer('a failover of Redis is not tested');

(hasRedis ? it : it.skip).each(redisFailover.backends)(
  `on %s no SMS is lost or sent twice when the master is killed (seed ${seed})`,
  async (backend) => {
    const { violations, record } = await runUnderLoad({
      ...redisFailover,
      name: 'redis-failover',
      seed,
      seconds: SECONDS,
      backend,
      disturb: (stage) => redisFailover.disturb(stage, { waiting: 0 }),
    });

    expect({ violations, record }).toEqual({ violations: [], record: undefined });
  },
  TIMEOUT_MS,
);
