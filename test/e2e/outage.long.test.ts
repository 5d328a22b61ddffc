import { setTimeout as sleep } from 'node:timers/promises';
import { startHouse, type House } from '../chaos/support/house';
import { openMarket, type Market } from '../chaos/support/market';
import { waitFor } from './support/api';

/** What a worker does when its connection breaks is a race: each outage meets it anew. */
const OUTAGES = 10;
const OUTAGE_MS = 500;
/** From the database's return to the SMS of an order placed then. */
const BAR_MS = 5_000;

let house: House;
let market: Market;
beforeAll(async () => {
  house = await startHouse('postgres');
  market = await openMarket(house.system, 1);
});
afterAll(() => house.dispose());

/** Tries until the database answers. @returns the statuses on the way */
async function order(totalAmount: number): Promise<number[]> {
  const statuses: number[] = [];
  const body = {
    cornerStoreId: market.stores[0]?.cornerStoreId,
    totalAmount,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
  };
  await waitFor(async () => {
    const answer = await house.system.call(market.wholesaler.key, 'POST', '/transaction', { body });
    statuses.push(answer.status);
    return answer.status === 201 || undefined;
  });
  return statuses;
}

it('after each outage of the database the next order has its code within 5 s', async () => {
  const waitedMs: number[] = [];
  for (let number = 0; number < OUTAGES; number += 1) {
    await house.database.stopAtOnce();
    await sleep(OUTAGE_MS);
    await house.database.start();
    const backAt = Date.now();
    const totalAmount = 100 + number;

    const statuses = await order(totalAmount);

    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await waitFor(
      async () =>
        house.twilio.log.some(({ body }) => body.includes(`$${totalAmount}.00 `)) || undefined,
    );
    waitedMs.push(Date.now() - backAt);
    await sleep(OUTAGE_MS);
  }
  expect(waitedMs.filter((ms) => ms > BAR_MS)).toEqual([]);
});
