import type { Stage } from '../run-under-load';
import type { Damage } from '../support/inflict';
import type { Backend } from '../support/schedule';
import { databaseOutage } from './database-outage';
import { forgottenDeadLetter } from './forgotten-dead-letter';
import { longDatabaseOutage } from './long-database-outage';
import { pausedWorker } from './paused-worker';
import { redisOutage } from './redis-outage';
import { clockAhead, clockBehind } from './wrong-clock';

/** One kind of trouble with bars of its own; the clients work meanwhile, and all checks follow. */
export interface Scenario {
  backends: Backend[];
  /** How long the clients work. */
  seconds: number;
  disturb: (stage: Stage) => Promise<Damage>;
}

export const SCENARIOS: Record<string, Scenario> = {
  'paused-worker': pausedWorker,
  'clock-ahead': clockAhead,
  'clock-behind': clockBehind,
  'redis-outage': redisOutage,
  'database-outage': databaseOutage,
  'long-database-outage': longDatabaseOutage,
  'forgotten-dead-letter': forgottenDeadLetter,
};
