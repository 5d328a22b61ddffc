import { setTimeout as pause } from 'node:timers/promises';
import { orderOf } from './order-load';
import { percentile } from './sms-latency';
import type { World } from './world';

interface SteadyOrders {
  placed: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Orders at a steady rate for some time, at equal distances. A load that divides its rate among its
 * connections would send one order on each of them at once, and then nothing for a while.
 */
export async function sendSteadily(
  { market }: Pick<World, 'market'>,
  url: string,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<SteadyOrders> {
  const place = async (n: number, dueAtMs: number): Promise<number> => {
    const { method, path, headers, body } = orderOf({ market }, n + 1);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        authorization: market.apiKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`An order was refused: ${text}`);
    return performance.now() - dueAtMs;
  };
  const latenciesMs = await atRate(rate, Math.floor(rate * seconds), place);
  return {
    placed: latenciesMs.length,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

/**
 * Calls at a steady rate, at equal distances: each at its time, however late the others end.
 * @param rate in a second
 * @param call the nth of them from 0, and the time that it was due at, of performance.now()
 */
export function atRate<Result>(
  rate: number,
  count: number,
  call: (n: number, dueAtMs: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAtMs = performance.now();
  const one = async (n: number): Promise<Result> => {
    const dueAtMs = startedAtMs + (n * 1_000) / rate;
    await pause(Math.max(dueAtMs - performance.now(), 0));
    return call(n, dueAtMs);
  };
  return Promise.all(Array.from({ length: count }, (_, n) => one(n)));
}
