import { openHangingEndpoints } from '../support/endpoints';
import { orderLoad, ordersWithSms, untilCalled } from '../support/order-load';
import { markCalls, percentile, smsLatencies } from '../support/sms-latency';
import { sendSteadily } from '../support/steady-load';
import type { System } from '../support/system';
import { rowFinding, type PhaseResult, type World } from '../support/world';

/** Rounds at the highest rate: the last one is the measure, the others compile the code. */
const RATE_ROUNDS = 4;
/** Of the highest rate. */
const SHARE = 0.5;

/**
 * How soon an SMS is sent while orders come at half of the highest rate; without webhook endpoints,
 * and beside 300 that never answer.
 */
export async function measureLoad(
  world: World,
  { system, database }: { system: System; database: string },
): Promise<PhaseResult> {
  const { say } = world;
  const highest = await highestRate(world, system);
  const rate = Math.floor(highest * SHARE);
  say(`  highest rate ${highest.toFixed(0)} orders/s; measured at ${rate}`);
  const alone = await latenciesAt(world, { system, database, rate });

  const hanging = await openHangingEndpoints(world, system);
  const beside = await latenciesAt(world, { system, database, rate });
  say(
    `  SMS p95 ${p95(alone).toFixed(1)} ms, beside hanging endpoints ${p95(beside).toFixed(1)} ms`,
  );
  return {
    phase: 'load',
    findings: [
      { what: 'highest rate of orders with SMS', value: highest, unit: '/s' },
      { what: 'SMS p50 at half of it', value: percentile(alone, 0.5), unit: 'ms' },
      rowFinding('SMS at half load', p95(alone)),
      { what: 'SMS p95 beside hanging endpoints', value: p95(beside), unit: 'ms' },
      { what: 'webhooks that were hanging', value: hanging.connections, unit: '' },
      rowFinding('hanging endpoints', p95(beside) / p95(alone)),
    ],
    rounds: { alone, beside },
  };
}

/** Orders in a second, the sending of their SMS included. */
async function highestRate(world: World, system: System): Promise<number> {
  const load = orderLoad(world, system.urlOf('gateway'));
  const { round } = ordersWithSms(world, 'order and SMS', load);
  let rate = 0;
  for (let n = 0; n < RATE_ROUNDS; n += 1) rate = (await round(world.options.seconds)).perSecond;
  return rate;
}

interface SteadyLoad {
  system: System;
  database: string;
  rate: number;
}

async function latenciesAt(
  world: World,
  { system, database, rate }: SteadyLoad,
): Promise<number[]> {
  const mark = await markCalls(world);
  const { market, options } = world;
  const { placed: count } = await sendSteadily({ market }, system.urlOf('gateway'), {
    rate,
    seconds: options.counts.steadySeconds,
  });
  await untilCalled(world, mark.calls + count);
  return smsLatencies(world, database, mark);
}

function p95(latencies: number[]): number {
  return percentile(latencies, 0.95);
}
