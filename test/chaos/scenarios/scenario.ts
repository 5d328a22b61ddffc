import type { Stage } from '../run-under-load';
import type { Damage } from '../support/inflict';
import type { Backend, ReplicatedBackend } from '../support/schedule';
import { databaseOutage } from './database-outage';
import { forgottenDeadLetter } from './forgotten-dead-letter';
import { keyRotation } from './key-rotation';
import { longDatabaseOutage } from './long-database-outage';
import { notifierGone } from './notifier-gone';
import { pausedWorker } from './paused-worker';
import { readOnlyDatabase } from './read-only-database';
import { redisFailover } from './redis-failover';
import { redisOutage } from './redis-outage';
import { smsBacklog } from './sms-backlog';
import { clockAhead, clockBehind } from './wrong-clock';

interface ScenarioOptions {
  /** SMS of one wholesaler that wait behind its cap. */
  waiting: number;
}

/** One kind of trouble with bars of its own; the clients work meanwhile, and all checks follow. */
export interface Scenario {
  backends: Array<Backend | ReplicatedBackend>;
  /** How long the clients work. */
  seconds: number;
  /** Variables of its own. */
  environment?: Record<string, string>;
  disturb: (stage: Stage, options: ScenarioOptions) => Promise<Damage>;
}

export const SCENARIOS: Record<string, Scenario> = {
  'paused-worker': pausedWorker,
  'clock-ahead': clockAhead,
  'clock-behind': clockBehind,
  'redis-outage': redisOutage,
  'redis-failover': redisFailover,
  'database-outage': databaseOutage,
  'long-database-outage': longDatabaseOutage,
  'read-only-database': readOnlyDatabase,
  'notifier-gone': notifierGone,
  'sms-backlog': smsBacklog,
  'forgotten-dead-letter': forgottenDeadLetter,
  'key-rotation': keyRotation,
};
