import { randomUUID } from 'node:crypto';
import { sharedSystem } from '../e2e/support/shared-system';
import { createStore, createWholesaler } from '../e2e/support/story';
import { floodFromOwnProcess } from './attacker/flood-from-own-process';
import type { Target } from './attacker/send-body';
import { hostileBodies, largestBatch } from './support/bodies';
import { ALLOWED_PER_SECOND, ATTACK_MS } from './support/limits';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();
const KB = 1024;
const RATE = { perSecond: ALLOWED_PER_SECOND, durationMs: ATTACK_MS };

/** A route for each limit of bodies, whatever calls it. */
const ROUTES = [
  ['createTransaction', 'POST', '/transaction', 100 * KB],
  ['createTransactions', 'POST', '/transaction/batch', 2 * KB * KB],
  ['getCornerStores', 'POST', '/corner-store/external', 2 * KB * KB],
  [
    'recordOnboardingStep',
    'PUT',
    `/account/${randomUUID()}/verification/${randomUUID()}/onboarding`,
    8 * KB * KB,
  ],
] as const;

/** The bytes of a key are limited over time, so each attack has its own. */
async function newKey(): Promise<string> {
  return (await createWholesaler(system)).key;
}

function target(key: string, method: string, path: string): Target {
  return { method, url: `${system.baseUrl}/v1${path}`, key };
}

it.each(ROUTES)(
  'hostile bodies for %s are refused, and no neighbour is',
  async (name, method, path, limit) => {
    const bodies = Object.values(hostileBodies(limit));
    const key = await newKey();
    await besideNeighbour(system, `hostile bodies for ${name}`, async () => {
      const requests = bodies.map((body) => ({ target: target(key, method, path), body }));
      const outcomes = await floodFromOwnProcess({ rate: RATE, requests });
      expect(Object.keys(outcomes).filter((outcome) => !/^(4|no answer)/.test(outcome))).toEqual(
        [],
      );
    });
  },
);

it('the largest allowed batches do not delay another wholesaler', async () => {
  const attacker = await createWholesaler(system);
  const { cornerStoreId } = await createStore(system, attacker);
  const batch = largestBatch(cornerStoreId);
  await besideNeighbour(system, 'the largest batches', async () => {
    const requests = [{ target: target(attacker.key, 'POST', '/transaction/batch'), body: batch }];
    const outcomes = await floodFromOwnProcess({ rate: RATE, requests });
    expect(outcomes['200']).toBeGreaterThan(0);
    // Their own queue may be too long for the gateway's deadline.
    expect(
      Object.keys(outcomes).filter((outcome) => !/^(200|429|503|no answer)/.test(outcome)),
    ).toEqual([]);
  });
});

it('endless bodies of two wholesalers do not delay another one', async () => {
  const keys = [await newKey(), await newKey()];
  await besideNeighbour(system, 'bodies that never end', async () => {
    const requests = keys.flatMap((key) =>
      ROUTES.map(([, method, path, declaredBytes]) => ({
        target: target(key, method, path),
        declaredBytes,
      })),
    );
    const outcomes = await floodFromOwnProcess({ rate: RATE, requests });
    expect(Object.keys(outcomes).filter((outcome) => !/^(4|no answer)/.test(outcome))).toEqual([]);
  });
});
