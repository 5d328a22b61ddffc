import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '../../../bench/support/cpu';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { send } from '@fiado/chassis/testing/call';
import { PROCESS_NAMES } from '@fiado/contracts/process-names';
import type { SharedSystem } from '../../e2e/support/shared-system';
import {
  codeIn,
  createStore,
  createWholesaler,
  type Store,
  type Wholesaler,
} from '../../e2e/support/story';
import { pidOf } from '../../e2e/support/system';
import { floodFromOwnProcess } from '../attacker/flood-from-own-process';
import { outcomeOf } from '../attacker/flood';
import { ALLOWED_PER_SECOND, ATTACK_MS, IS_MEASURED } from './limits';
import { printPercentiles, type Call, type Phase } from './percentiles';

/** With many more calls the other wholesaler would itself be the load. */
const LOOKUP_EVERY_MS = 50;
const ORDER_EVERY_MS = 500;
/**
 * Each order costs its store two SMS, of which a phone gets a limited number in a day. The stores
 * take their turns, so that each has two or three orders, or none where the attack is short.
 */
const STORES = IS_MEASURED ? 40 : 16;
const ORDER_AMOUNT = 100;

/**
 * Runs an attack while another wholesaler looks up its stores, orders and confirms, as steadily as
 * a well-behaved one does. Fails when a call of that wholesaler is refused or has no answer, or when
 * a service ends. With --measure the same wholesaler first works alone, and then beside harmless
 * requests at the rate of the attack: the machine's own share in what is slower. Its percentiles in all
 * three cases are printed; nothing is asserted of them.
 * @param name of the attack, as it is printed
 */
export async function besideNeighbour(
  system: SharedSystem,
  name: string,
  attack: () => Promise<void>,
): Promise<void> {
  const pids = processesOf(system);
  const neighbour = await createNeighbour(system);
  const during = async (something: () => Promise<void>): Promise<Phase> => {
    const before = process.cpuUsage();
    const seconds = cpuSeconds(pids);
    const calls = await neighbour.workDuring(something);
    const { user, system: kernel } = process.cpuUsage(before);
    const used = [...cpuSeconds(pids)].map(([service, total]): [string, number] => [
      service,
      total - (seconds.get(service) ?? 0),
    ]);
    return { calls, cpuSeconds: new Map([...used, ['tests', (user + kernel) / 1_000_000]]) };
  };
  const quiet = IS_MEASURED ? await during(() => sleep(ATTACK_MS)) : undefined;
  const harmless = IS_MEASURED ? await during(await harmlessLoad(system)) : undefined;
  const attacked = await during(attack);

  // A busy machine may be too slow for the harmless requests, and that says nothing of the attack.
  const calls = [...(quiet?.calls ?? []), ...attacked.calls];
  const refused = calls.filter(({ outcome }) => !/^20[01]$/.test(outcome));
  expect(refused).toEqual([]);
  // A process that ended was started again: its id is another one.
  expect(processesOf(system)).toEqual(pids);
  // One confirmation shows that the other wholesaler reached its last step.
  expect(attacked.calls.map(({ operation }) => operation)).toContain('confirmTransaction');
  if (quiet !== undefined && harmless !== undefined) {
    printPercentiles(name, { quiet, harmless, attacked });
  }
}

/** A third wholesaler that looks up its store at the rate that it is allowed. */
async function harmlessLoad(system: SharedSystem): Promise<() => Promise<void>> {
  const wholesaler = await createWholesaler(system);
  const { externalId } = await createStore(system, wholesaler);
  const url = `${system.baseUrl}/v1/corner-store/external/${externalId}`;
  const requests = [{ target: { method: 'GET', url, key: wholesaler.key }, body: Buffer.alloc(0) }];
  const rate = { perSecond: ALLOWED_PER_SECOND, durationMs: ATTACK_MS };
  return async () => {
    await floodFromOwnProcess({ rate, requests });
  };
}

interface Neighbour {
  /** @returns its calls, from the start of something until that has ended */
  workDuring(something: () => Promise<void>): Promise<Call[]>;
}

async function createNeighbour(system: SharedSystem): Promise<Neighbour> {
  const wholesaler = await createWholesaler(system);
  const stores = await inFlight(
    Array.from({ length: STORES }, () => () => createStore(system, wholesaler)),
  );
  let orders = 0;
  return {
    workDuring: async (something) => {
      const calls: Call[] = [];
      const api = timedApi(system, wholesaler, calls);
      let isOver = false;
      const work = Promise.all([
        every(
          LOOKUP_EVERY_MS,
          () => isOver,
          (turn) => api.lookUp(turnOf(stores, turn)),
        ),
        every(
          ORDER_EVERY_MS,
          () => isOver,
          async () => {
            const store = turnOf(stores, orders);
            const seen = Math.floor(orders / STORES);
            orders += 1;
            await api.buy(store, seen);
          },
        ),
      ]);
      await something().finally(() => (isOver = true));
      await work;
      return calls;
    },
  };
}

/** Starts work at a steady pace, also while earlier work is not done; awaits all of it. */
async function every(
  intervalMs: number,
  isOver: () => boolean,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  const all: Array<Promise<void>> = [];
  const startedAt = performance.now();
  for (let turn = 0; !isOver(); turn += 1) {
    all.push(work(turn));
    await sleep(Math.max(0, startedAt + (turn + 1) * intervalMs - performance.now()));
  }
  await Promise.all(all);
}

function timedApi(system: SharedSystem, { key }: Wholesaler, calls: Call[]) {
  const call = async (operation: string, method: string, path: string, body?: object) => {
    const startedAt = performance.now();
    const record = (outcome: string) =>
      calls.push({ operation, outcome, ms: performance.now() - startedAt });
    try {
      const url = `${system.baseUrl}/v1${path}`;
      const answer = await send(url, method, body, { authorization: key });
      record(outcomeOf(answer));
      return answer.body;
    } catch (error) {
      record(`no answer: ${String(error)}`);
      return undefined;
    }
  };
  return {
    lookUp: async ({ externalId }: Store) => {
      await call('getCornerStore', 'GET', `/corner-store/external/${externalId}`);
    },
    /** Orders and confirms with the code by SMS. @param seen orders of the store before this one */
    buy: async ({ cornerStoreId, phone }: Store, seen: number) => {
      const order = await call('createTransaction', 'POST', '/transaction', {
        cornerStoreId,
        totalAmount: ORDER_AMOUNT,
        products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
      });
      if (order?.transactionId === undefined) return;
      const code = codeIn(await system.sms(phone, 'order-code', seen));
      const path = `/transaction/${order.transactionId}/verification/${order.verificationId}`;
      await call('confirmTransaction', 'PUT', path, { errorCode: code });
    },
  };
}

function turnOf<T>(list: T[], turn: number): T {
  const one = list[turn % list.length];
  if (one === undefined) throw new Error('The list is empty');
  return one;
}

function processesOf({ supervisorPid }: SharedSystem): Map<string, number> {
  return new Map(PROCESS_NAMES.map((service) => [service, pidOf(supervisorPid, service)]));
}
