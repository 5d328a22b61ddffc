import { randomInt } from 'node:crypto';
import { runSeed } from '../chaos/run-seed';

/** Set CHAOS_SEED to a seed that a failed run has in its title to break the same things again. */
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
/** Work and faults; start, settling and checks take as long again, and a lost sender 30 s more. */
const SECONDS = 12;
const TIMEOUT_MS = 240_000;

it(
  `whatever is killed, stalled or away, nothing that was answered is lost or happens twice (seed ${seed})`,
  async () => {
    const backend = process.env.REDIS_URL === undefined ? 'postgres' : 'redis';

    const { violations, record } = await runSeed({ seed, backend, seconds: SECONDS });

    expect({ violations, record }).toEqual({ violations: [], record: undefined });
  },
  TIMEOUT_MS,
);
