import { randomUUID } from 'node:crypto';
import { sharedSystem } from '../e2e/support/shared-system';
import { createStore, createWholesaler } from '../e2e/support/story';
import { hostileBodies, largestBatch, sendBody, trickle, type Target } from './support/bodies';
import { ALLOWED_PER_SECOND, ATTACK_MS, flood } from './support/flood';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();
const KB = 1024;

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
      let turn = 0;
      const outcomes = await flood(ALLOWED_PER_SECOND, () => {
        turn += 1;
        return sendBody(target(key, method, path), bodies[turn % bodies.length] ?? Buffer.alloc(0));
      });
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
    const outcomes = await flood(ALLOWED_PER_SECOND, () =>
      sendBody(target(attacker.key, 'POST', '/transaction/batch'), batch),
    );
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
    let turn = 0;
    const outcomes = await flood(ALLOWED_PER_SECOND, () => {
      const [, method, path, limit] = ROUTES[turn % ROUTES.length] ?? ROUTES[0];
      turn += 1;
      return trickle(target(keys[turn % 2] ?? '', method, path), limit, ATTACK_MS);
    });
    expect(Object.keys(outcomes).filter((outcome) => !/^(4|no answer)/.test(outcome))).toEqual([]);
  });
});
