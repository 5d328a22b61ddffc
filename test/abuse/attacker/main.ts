import type { AttackPlan } from './flood-from-own-process';
import { flood } from './flood';
import { sendBody, trickle } from './send-body';

/** The attacker's process: gets one plan, carries it out, sends the outcomes, and ends. */
process.once('message', ({ rate, requests }: AttackPlan) => {
  let turn = 0;
  void flood(rate, () => {
    const request = requests[turn % requests.length];
    turn += 1;
    if (request === undefined) throw new Error('The plan has no requests');
    if ('body' in request) return sendBody(request.target, Buffer.from(request.body));
    return trickle(request.target, request.declaredBytes, rate.durationMs);
  }).then((outcomes) => process.send?.(outcomes, () => process.exit()));
});
