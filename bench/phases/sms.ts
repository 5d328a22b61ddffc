import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../support/alternate';
import { Child } from '../support/child';
import type { System } from '../support/system';
import { orderBody, type Market } from '../support/market';
import { until } from '@fiado/chassis/testing/until';
import { markCalls, percentile, smsLatencies } from '../support/sms-latency';
import { rowFinding, type PhaseResult, type World } from '../support/world';

/** Longer than an SMS takes, so that each meets an idle system. */
const PAUSE_MS = 60;
const BATCH = 500;
const DEADLINE_MS = 180_000;

/** A system on one of the two queue backends. */
export interface QueuedSystem {
  backend: 'postgres' | 'redis';
  system: System;
  database: string;
  /** Of the database, or of Redis. */
  queuesUrl: string;
}

/** How soon an SMS is on its way, and how many go out in a second beside a bare BullMQ worker. */
export async function measureSms(world: World, queued: QueuedSystem): Promise<PhaseResult> {
  const { backend } = queued;
  const latencies = await followOrders(world, queued);
  const notifier: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < world.options.rounds; round += 1) {
    notifier.push(await notifierRate(world, queued));
    bare.push(await bareRate(world, queued));
    const rates = `${notifier.at(-1)?.toFixed(0)}/s, bare ${bare.at(-1)?.toFixed(0)}/s`;
    world.say(`  ${round + 1}/${world.options.rounds}  notifier on ${backend} ${rates}`);
  }
  const p95Ms = percentile(latencies, 0.95);
  const ratios = notifier.map((rate, at) => rate / (bare[at] ?? Number.NaN));
  const on = (what: string): string => `${what}, queues on ${backend}`;
  return {
    phase: `sms on ${backend}`,
    findings: [
      { what: on('SMS path, p50'), value: percentile(latencies, 0.5), unit: 'ms' },
      { what: on('SMS path, p95'), value: p95Ms, unit: 'ms' },
      { what: on('notifier'), value: median(notifier), unit: 'SMS/s' },
      { what: on('bare BullMQ worker'), value: median(bare), unit: 'SMS/s' },
      rowFinding(
        backend === 'redis' ? 'notifier on Redis' : 'notifier on Postgres',
        median(ratios),
      ),
    ],
    rounds: { latenciesMs: latencies, notifier, bare },
  };
}

/** The milliseconds from commit to call of orders that each find an idle system. */
async function followOrders(world: World, { system, database }: QueuedSystem): Promise<number[]> {
  const { market, twilio } = world;
  const mark = await markCalls(world);
  for (let n = 0; n < world.options.counts.followed; n += 1) {
    const calls = twilio.posts.length;
    await post(system, market, '', orderBody(market, n));
    await until('the SMS is sent', () => twilio.posts.length > calls, DEADLINE_MS);
    await pause(PAUSE_MS);
  }
  return smsLatencies(world, database, mark);
}

/** Lets messages wait for a notifier that is not there, and starts it. */
async function notifierRate(world: World, { system, database }: QueuedSystem): Promise<number> {
  const { market, twilio, db } = world;
  const { backlog } = world.options.counts;
  await system.stopService('notifier');
  for (let from = 0; from < backlog; from += BATCH) {
    const transactions = Array.from({ length: BATCH }, (_, at) => orderBody(market, from + at));
    await post(system, market, '/batch', { transactions, driverId: 'chofer-1' });
  }
  const waiting = 'SELECT count(*)::int AS n FROM transactions.outbox WHERE enqueued_at IS NULL';
  const relayed = async (): Promise<boolean> =>
    (await db.query<{ n: number }>(database, waiting))[0]?.n === 0;
  await until('the relay has handed all messages over', relayed, DEADLINE_MS);

  const before = twilio.posts.length;
  await system.startService('notifier');
  return rateOfCalls(world, before);
}

async function bareRate(world: World, { backend, queuesUrl }: QueuedSystem): Promise<number> {
  const before = world.twilio.posts.length;
  const worker = new Child({
    name: 'bare-worker',
    command: process.execPath,
    args: [
      join(__dirname, '..', 'bare-worker.js'),
      backend,
      queuesUrl,
      world.twilio.url,
      `${world.options.counts.backlog}`,
    ],
    env: {},
    folder: world.folder,
  });
  world.cleanup.add(() => worker.stop());
  await worker.finish();
  return rateOfCalls(world, before);
}

/** Calls in a second, from the first to the last. */
async function rateOfCalls({ twilio, options }: World, before: number): Promise<number> {
  const { backlog } = options.counts;
  const all = async (): Promise<boolean> => twilio.posts.length >= before + backlog;
  await until('all messages are sent', all, DEADLINE_MS);
  const first = twilio.posts[before]?.at ?? Number.NaN;
  const last = twilio.posts[before + backlog - 1]?.at ?? Number.NaN;
  return ((backlog - 1) * 1_000) / (last - first);
}

async function post(system: System, { apiKey }: Market, path: string, body: object): Promise<void> {
  const response = await fetch(`${system.urlOf('gateway')}/v1/transaction${path}`, {
    method: 'POST',
    headers: { authorization: apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.text();
}
