import { createGauge, type Reading } from '../metrics';
import type { Logger } from '../logger';
import type { Queues } from './queues';

/** The `maxmemory-policy` of a Redis that refuses writes when it is full, and deletes no key. */
const EVICTS_NOTHING = 'noeviction';

/** Of a Redis whose INFO does not tell it, as that of some managed ones. */
const UNKNOWN = 'unknown';

const evicts = createGauge(
  'fiado_redis_evicts',
  'Whether the Redis of the queues deletes keys when it is full: 1 or 0; -1 if it does not tell its policy',
  [],
);

/**
 * The policy of all nodes, from their answers to INFO: another one than noeviction if a node has one,
 * and unknown if a node does not tell its own.
 */
export function evictionPolicyIn(infos: string[]): string {
  const policies = infos.map((info) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? UNKNOWN);
  const wrong = policies.filter((policy) => policy !== EVICTS_NOTHING);
  return wrong.find((policy) => policy !== UNKNOWN) ?? wrong[0] ?? policies[0] ?? UNKNOWN;
}

/** The gauge of a policy; undefined is that of queues in Postgres. */
export function policyReading(policy: string | undefined): Reading {
  if (policy === UNKNOWN) return evicts({}, -1);
  return evicts({}, policy === undefined || policy === EVICTS_NOTHING ? 0 : 1);
}

/**
 * Refuses a production start on a Redis that deletes keys when it is full: parts of a queue would
 * be gone, and jobs with them until the sweeper misses them. Warns in a sandbox, and where the
 * policy cannot be read. A Redis that is unavailable does not hold up the start.
 * @throws Error in production when the policy is another one than noeviction
 */
export async function requireNoEviction(
  queues: Queues,
  { FIADO_MODE }: { FIADO_MODE: 'sandbox' | 'production' },
  log: Logger,
): Promise<void> {
  const policy = await queues.evictionPolicy().catch(() => UNKNOWN);
  if (policy === undefined || policy === EVICTS_NOTHING) return;
  if (policy === UNKNOWN) {
    log.warn('the maxmemory-policy of Redis cannot be read; it must be noeviction');
    return;
  }
  const problem = `Redis has the maxmemory-policy ${policy}, which loses jobs: set it to ${EVICTS_NOTHING}`;
  if (FIADO_MODE === 'production') throw new Error(problem);
  log.warn(problem);
}
