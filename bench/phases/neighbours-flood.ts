import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@fiado/chassis/testing/until';
import { openMarket, orderBody, type Market } from '../support/market';
import { callsByPhone, markCalls, percentile, untilSmsSince } from '../support/sms-latency';
import { atRate } from '../support/steady-load';
import type { System } from '../support/system';
import { rowFinding, type Finding, type World } from '../support/world';

/** Orders in a second of the wholesaler that is measured: about a tenth of what two cores can do. */
const STEADY_PER_SECOND = 25;
/** Five times those of any other load of the bench. */
const FLOOD_CONNECTIONS = 128;
const FLOOD_STORES = 300;
/** Other people than those of the measured wholesaler. */
const FLOOD_FIRST_PHONE = 5_560_000_000;
/** Time for the flood to fill its queues before orders are measured, in milliseconds. */
const FLOOD_LEAD_MS = 1_500;
/** Time for its last orders, whose connections are closed at its end, in milliseconds. */
const FLOOD_END_MS = 1_000;
const SMS_DEADLINE_MS = 60_000;
/** Whether the flood runs. In this order other load on the machine affects both alike. */
const TURNS = [false, true, true, false];

/** An order that was measured. */
interface Placed {
  phone: string;
  requestedAtMs: number;
  /** Undefined: it was refused. */
  answeredAtMs: number | undefined;
}

/** What the process of a flood needs. */
export interface Flood extends Pick<Market, 'apiKey' | 'stores'> {
  url: string;
  connections: number;
}

/** Answers of the flood. */
interface FloodCounts {
  accepted: number;
  refused: number;
  /** The first answers of those that were refused. */
  refusals: string[];
}

/** The counts of one flood, and its requests without an answer. */
export interface FloodResult extends FloodCounts {
  failed: number;
}

/** Milliseconds from the request of each order; infinite for one that was refused. */
interface Latencies {
  answers: number[];
  /** To the call of the provider. */
  sms: number[];
}

/**
 * How long the orders of a wholesaler take, which come at a modest, steady rate, alone and while
 * another wholesaler orders for other stores on many connections, without a rate limit.
 */
export async function measureFlood(
  world: World,
  { system, database }: { system: System; database: string },
): Promise<{ findings: Finding[]; rounds: object }> {
  const { db, say } = world;
  const flooder = await openMarket(system, { db, name: database }, FLOOD_STORES, FLOOD_FIRST_PHONE);
  const alone: Latencies = { answers: [], sms: [] };
  const flooded: Latencies = { answers: [], sms: [] };
  const counts: FloodCounts = { accepted: 0, refused: 0, refusals: [] };
  const flood: Flood = {
    url: system.urlOf('gateway'),
    apiKey: flooder.apiKey,
    stores: flooder.stores,
    connections: FLOOD_CONNECTIONS,
  };
  for (const floods of TURNS) {
    const mark = await markCalls(world);
    const stop = floods ? startFlood(flood, counts) : undefined;
    if (floods) await pause(FLOOD_LEAD_MS);
    const placed = await orderSteadily(world, system);
    await stop?.();
    // Orders that were in work are committed by then, and counted as those of this turn.
    if (floods) await pause(FLOOD_END_MS);
    await untilSmsSince(world, database, mark);
    const latencies = () => latenciesOf(placed, callsByPhone(world, mark.calls));
    const allSent = async (): Promise<boolean> => {
      const { answers, sms } = latencies();
      return sms.every((ms, at) => ms < Infinity || answers[at] === Infinity);
    };
    await until('the SMS of the answered orders are sent', allSent, SMS_DEADLINE_MS);
    const { answers, sms } = latencies();
    const into = floods ? flooded : alone;
    into.answers.push(...answers);
    into.sms.push(...sms);
    const name = floods ? 'beside a flood' : 'alone';
    say(`  orders ${name}: p99 ${p99(answers).toFixed(0)} ms, with SMS ${p99(sms).toFixed(0)} ms`);
  }
  const refused = flooded.answers.filter((answer) => answer === Infinity).length;
  const ms = (what: string, value: number): Finding => ({ what, value, unit: 'ms' });
  return {
    findings: [
      ms('answer of a steady order, p99', p99(alone.answers)),
      ms('the same beside a flood', p99(flooded.answers)),
      ms('steady order and SMS, p50', percentile(alone.sms, 0.5)),
      ms('the same beside a flood', percentile(flooded.sms, 0.5)),
      ms('steady order and SMS, p99', p99(alone.sms)),
      ms('the same beside a flood', p99(flooded.sms)),
      { what: 'steady orders refused beside a flood', value: refused, unit: '' },
      { what: 'orders of the flood', value: counts.accepted, unit: '' },
      { what: 'orders of the flood that were refused', value: counts.refused, unit: '' },
      rowFinding('flood', p99(flooded.sms) / p99(alone.sms)),
    ],
    rounds: { alone, flooded, refusals: counts.refusals },
  };
}

/**
 * Starts a flood.
 * @param counts counts its answers
 * @returns ends it
 */
function startFlood(flood: Flood, counts: FloodCounts): () => Promise<void> {
  const child = fork(join(__dirname, '..', 'flood.js'));
  child.send(flood);
  const ended = new Promise<FloodResult>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('The flood ended without a result')));
  });
  // Awaited at the end, and not an unhandled rejection before.
  ended.catch(() => {});
  return async () => {
    child.kill('SIGTERM');
    const { accepted, refused, failed, refusals } = await ended;
    counts.accepted += accepted;
    counts.refused += refused + failed;
    counts.refusals.push(...refusals);
  };
}

/** Each order is sent at its time, however late the answers of those before it are. */
async function orderSteadily({ market, options, say }: World, system: System): Promise<Placed[]> {
  const amount = Math.ceil((STEADY_PER_SECOND * options.counts.steadySeconds * 2) / TURNS.length);
  let refusals = 0;
  const place = async (n: number): Promise<Placed> => {
    const requestedAtMs = Date.now();
    const answeredAtMs = await system
      .callOnce(market.apiKey, 'POST', '/transaction', orderBody(market, n))
      .then(Date.now, (error: unknown) => {
        refusals += 1;
        if (refusals === 1) say(`  a steady order was refused: ${String(error)}`);
        return undefined;
      });
    const phone = market.stores[n % market.stores.length]?.phone ?? '';
    return { phone, requestedAtMs, answeredAtMs };
  };
  return atRate(STEADY_PER_SECOND, amount, place);
}

/** @param calls of the provider by phone, the first of which belongs to its first order */
export function latenciesOf(placed: Placed[], calls: Map<string, number[]>): Latencies {
  const answered = placed.map(({ phone, requestedAtMs, answeredAtMs }) => ({
    answer: (answeredAtMs ?? Infinity) - requestedAtMs,
    sms:
      answeredAtMs === undefined
        ? Infinity
        : (calls.get(phone)?.shift() ?? Infinity) - requestedAtMs,
  }));
  return { answers: answered.map(({ answer }) => answer), sms: answered.map(({ sms }) => sms) };
}

function p99(latencies: number[]): number {
  return percentile(latencies, 0.99);
}
