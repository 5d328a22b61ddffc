import { setTimeout as sleep } from 'node:timers/promises';
import { startDeployment, type Deployment } from '../chaos/support/deployment';
import { openMarket, type Market } from '../chaos/support/market';
import { waitFor } from './support/api';

/** A broken connection races with the worker, and each outage repeats that race. */
const OUTAGES = 10;
const OUTAGE_MS = 500;
/** Shorter than the 30 s after which the sweeper would add a lost job again. */
const BEFORE_THE_SWEEPER_MS = 25_000;

let deployment: Deployment;
let market: Market;
beforeAll(async () => {
  deployment = await startDeployment('postgres');
  market = await openMarket(deployment.system, 1);
});
afterAll(() => deployment.dispose());

/** Tries until the database answers. @returns the statuses on the way */
async function order(totalAmount: number): Promise<number[]> {
  const statuses: number[] = [];
  const body = {
    cornerStoreId: market.stores[0]?.cornerStoreId,
    totalAmount,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
  };
  await waitFor(async () => {
    const answer = await deployment.system.call(market.wholesaler.key, 'POST', '/transaction', {
      body,
    });
    statuses.push(answer.status);
    return answer.status === 201 || undefined;
  });
  return statuses;
}

it('after each outage of the database the next order gets its code, without the sweeper', async () => {
  for (let number = 0; number < OUTAGES; number += 1) {
    await deployment.database.stopAtOnce();
    await sleep(OUTAGE_MS);
    await deployment.database.start();
    const totalAmount = 100 + number;

    const statuses = await order(totalAmount);

    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await waitFor(
      async () =>
        deployment.twilio.posts.some(({ form }) => form.Body?.includes(`$${totalAmount}.00 `)) ||
        undefined,
      BEFORE_THE_SWEEPER_MS,
    );
    await sleep(OUTAGE_MS);
  }
});
