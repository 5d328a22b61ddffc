import autocannon from 'autocannon';
import { orderOf } from './order-load';
import type { World } from './world';

interface SteadyOrders {
  placed: number;
  p50Ms: number;
  p99Ms: number;
}

/** Orders at a steady rate for some time. */
export async function sendSteadily(
  { market, connections }: Pick<World, 'market'> & { connections: number },
  url: string,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<SteadyOrders> {
  let drawn = 0;
  const result = await autocannon({
    url,
    connections,
    overallRate: rate,
    amount: rate * seconds,
    requests: [
      {
        setupRequest: (request) => {
          drawn += 1;
          const { method, path, headers: own, body } = orderOf({ market }, drawn);
          const headers = {
            ...own,
            authorization: market.apiKey,
            'content-type': 'application/json',
          };
          return { ...request, method, path, headers, body: JSON.stringify(body) };
        },
      },
    ],
  });
  const { non2xx, errors, latency } = result;
  if (non2xx + errors > 0) throw new Error(`${non2xx} orders were refused, ${errors} failed`);
  return { placed: result['2xx'], p50Ms: latency.p50, p99Ms: latency.p99 };
}
