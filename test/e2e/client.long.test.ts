import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fiado } from '@fiado/client';
import {
  startStandIn,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
} from '@fiado/chassis/testing/stand-in';
import { createConsumer, installOldCompiler } from './support/consumer';
import { sharedSystem } from './support/shared-system';
import { randomOf, oneOf, type Random } from './support/random';
import { createWholesaler } from './support/story';
import type { Api } from './support/api';

/** What happens to a request on its way. */
const FAULTS = ['cut-before', 'cut-after', 'late', '503', '429'] as const;
type Fault = (typeof FAULTS)[number];

/** Longer than the client of the test waits. */
const LATE_MS = 2_500;
/** Share of the requests that fail. */
const FAULT_RATE = 0.3;

interface FaultProxy extends StandIn {
  /** How often each fault happened. */
  counts: Record<Fault, number>;
}

/**
 * Stands between a client and the API, and fails as networks and gateways do: before the request
 * arrived, after it took effect, too late, or with a refusal.
 */
async function startFaultProxy(target: string, random: Random): Promise<FaultProxy> {
  const counts: FaultProxy['counts'] = {
    'cut-before': 0,
    'cut-after': 0,
    late: 0,
    '503': 0,
    '429': 0,
  };
  const proxy = await startStandIn((request, res) => {
    const fault = random() < FAULT_RATE ? oneOf(random, [...FAULTS]) : undefined;
    if (fault !== undefined) counts[fault] += 1;
    return pass(target, request, fault)
      .catch(() => undefined)
      .then((answer) => {
        if (answer === undefined) res.destroy();
        return answer;
      });
  });
  return { ...proxy, counts };
}

/** @returns the answer, or undefined where the connection breaks */
async function pass(
  target: string,
  { method, path, headers: given, body }: StandInRequest,
  fault: Fault | undefined,
): Promise<StandInAnswer | undefined> {
  if (fault === 'cut-before') return undefined;
  if (fault === '503' || fault === '429') {
    return { status: Number(fault), headers: { 'retry-after': '0' }, body: '<html>busy</html>' };
  }
  const { host: _, connection: __, 'content-length': ___, ...headers } = given;
  const answer = await fetch(`${target}${path}`, {
    method,
    headers: headers as Record<string, string>,
    ...(body !== '' && { body }),
  });
  const text = await answer.text();
  if (fault === 'cut-after') return undefined;
  if (fault === 'late') await sleep(LATE_MS);
  const answered = Object.fromEntries(answer.headers);
  delete answered['content-length'];
  delete answered['transfer-encoding'];
  return { status: answer.status, headers: answered, body: text };
}

const AMOUNT = 100;
/** Calls at the same time. */
const LANES = 10;
const ORDERS = 400;
/** Shorter than a late answer, longer than an order takes. */
const TIMEOUT_MS = 2_000;

/** How a run ended. */
interface Outcome {
  created: number;
  /** Orders that the API has, by the number that the caller gave each. */
  held: number[];
  /** Amount that is held of the credit line. */
  heldAmount: number;
  faults: Record<string, number>;
  attempts: number;
}

/** Creates orders with the client, through a network that fails. */
async function createOrdersBehindFaults(system: Api, count: number): Promise<Outcome> {
  const { key } = await createWholesaler(system);
  const direct = new Fiado({ apiKey: key, baseUrl: system.baseUrl });
  const creditLimit = 2 * count * AMOUNT;
  const customer = await direct.sandbox.createCustomer({ status: 'approved', creditLimit });
  const proxy = await startFaultProxy(system.baseUrl, randomOf(count));
  let attempts = 0;
  const fiado = new Fiado({
    apiKey: key,
    baseUrl: proxy.url,
    timeoutMs: TIMEOUT_MS,
    deadlineMs: 300_000,
    maxRetries: 50,
    onAttempt: () => (attempts += 1),
  });
  const created: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const order = await fiado.transactions.create({
        cornerStoreId: customer.cornerStoreId,
        totalAmount: AMOUNT,
        products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
        metadata: { number },
      });
      created.push(order.transactionId);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await proxy.stop();

  const held: number[] = [];
  for await (const order of direct.transactions.list({ limit: 100 })) {
    held.push(Number(order.metadata['number']));
  }
  const { creditLimitAvailable } = await direct.cornerStores.get(customer.externalId);
  return {
    created: new Set(created).size,
    held: held.sort((one, other) => one - other),
    heldAmount: creditLimit - creditLimitAvailable,
    faults: proxy.counts,
    attempts,
  };
}

it(`${ORDERS} orders through a failing network are ${ORDERS} orders`, async () => {
  const outcome = await createOrdersBehindFaults(sharedSystem(), ORDERS);
  process.stdout.write(`${JSON.stringify({ ...outcome, held: outcome.held.length })}\n`);

  expect(outcome.created).toBe(ORDERS);
  expect(outcome.held).toEqual(Array.from({ length: ORDERS }, (_, number) => number));
  expect(outcome.heldAmount).toBe(ORDERS * AMOUNT);
  expect(Math.min(...Object.values(outcome.faults))).toBeGreaterThan(0);
  expect(outcome.attempts).toBeGreaterThan(ORDERS);
});

const folder = mkdtempSync(join(tmpdir(), 'fiado-compiler-'));
const compiler = installOldCompiler(folder) ?? '';
if (compiler === '') process.stdout.write('No registry answers: TypeScript 5.4 is not tested\n');
afterAll(() => rmSync(folder, { recursive: true }));

(compiler === '' ? it.skip : it)(
  'the client compiles with TypeScript 5.4 in an empty folder',
  async () => {
    const consumer = await createConsumer(sharedSystem());
    try {
      expect(await consumer.compile(compiler, 'story.mts', ['node'])).toBe('');
      expect(await consumer.compile(compiler, 'types.ts', [])).toBe('');
    } finally {
      await consumer.dispose();
    }
  },
);
