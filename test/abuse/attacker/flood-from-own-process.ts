import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Rate } from './flood';
import type { Target } from './send-body';

/** A body that is sent at once, or one whose bytes come one by one and never all. */
type AttackRequest = { target: Target } & ({ body: Uint8Array } | { declaredBytes: number });

export interface AttackPlan {
  rate: Rate;
  /** Sent in turns. */
  requests: AttackRequest[];
}

/** Compiled by `npm run build`: Node 20 does not run TypeScript. */
const ATTACKER = resolve('dist/abuse/attacker/main.js');

/**
 * Sends requests at a steady rate from a process of its own. In the tests' process the work of sending
 * would delay the well-behaved wholesaler's calls, which are timed there.
 * @returns how many requests had each outcome: a status with its error code, or `no answer`
 * @throws Error when the process ends without an answer
 */
export async function floodFromOwnProcess(plan: AttackPlan): Promise<Record<string, number>> {
  const attacker = fork(ATTACKER, { serialization: 'advanced' });
  // An attacker has a machine of its own: it must not take the services' share of this one.
  if (attacker.pid !== undefined) setPriority(attacker.pid, constants.priority.PRIORITY_LOW);
  const ended = once(attacker, 'exit').then(([code]) => {
    throw new Error(`The attacker's process ended with ${code}`);
  });
  ended.catch(() => undefined);
  attacker.send(plan);
  const [outcomes] = await Promise.race([once(attacker, 'message'), ended]);
  return outcomes;
}
