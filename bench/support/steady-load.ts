import autocannon from 'autocannon';
import { orderOf } from './order-load';
import type { World } from './world';

/** Orders at a steady rate for the time of the run. @returns how many were placed */
export async function sendSteadily(world: World, url: string, rate: number): Promise<number> {
  const { connections, counts } = world.options;
  let drawn = 0;
  const result = await autocannon({
    url,
    connections,
    overallRate: rate,
    amount: rate * counts.steadySeconds,
    requests: [
      {
        setupRequest: (request) => {
          drawn += 1;
          const { method, path, headers: own, body } = orderOf(world, drawn);
          const headers = {
            ...own,
            authorization: world.market.apiKey,
            'content-type': 'application/json',
          };
          return { ...request, method, path, headers, body: JSON.stringify(body) };
        },
      },
    ],
  });
  const { non2xx, errors } = result;
  if (non2xx + errors > 0) throw new Error(`${non2xx} orders were refused, ${errors} failed`);
  return result['2xx'];
}
