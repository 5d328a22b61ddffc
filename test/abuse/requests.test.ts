import { sharedSystem } from '../e2e/support/shared-system';
import { createStore, createWholesaler } from '../e2e/support/story';
import { flood } from './attacker/flood';
import { ALLOWED_PER_SECOND, ATTACK_MS } from './support/limits';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

it('a credential that calls at twice its rate costs no other one a request', async () => {
  const attacker = await createWholesaler(system);
  const store = await createStore(system, attacker);

  await besideNeighbour(system, 'twice the allowed rate', async () => {
    const outcomes = await flood({ perSecond: 2 * ALLOWED_PER_SECOND, durationMs: ATTACK_MS }, () =>
      system.call(attacker.key, 'GET', `/corner-store/external/${store.externalId}`),
    );
    // A slow machine does not get to the rate, and refuses nothing.
    const allowed = ['200', '429 RATE_LIMIT_EXCEEDED'];
    expect(Object.keys(outcomes).filter((outcome) => !allowed.includes(outcome))).toEqual([]);
  });
});
