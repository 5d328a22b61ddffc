import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverFor, orderAtOnce, paymentOf, paymentsOf, verify } from './support/month';
import { randomOf, integer, oneOf, shuffled, type Random } from './support/random';
import {
  createProvider,
  createStore,
  createWholesaler,
  type Store,
  type Provider,
  type Wholesaler,
} from './support/story';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { waitFor, type Api } from './support/api';
import { startSystem, type System } from './support/system';

/** How long a provider's client waits before it posts again what was answered 503. */
const RETRY_MS = 100;

type Reference = Awaited<ReturnType<typeof deliverOrder>>;

interface Deposit {
  store: Store;
  cents: number;
  body: object & { claveDePago: string };
}

/** A corner store's delivered order, ready to be paid. The wholesaler's orders need no code. */
async function deliverOrder(system: Api, wholesaler: Wholesaler, store: Store) {
  const transactionId = await orderAtOnce(system, wholesaler, store, 1_000);
  expect(await deliverFor(system, wholesaler, transactionId, 1_000)).toBe('200');
  return { transactionId, ...(await paymentOf(system, wholesaler, transactionId)) };
}

/** Deposits for what those stores owe, by either reference. */
function makeDeposits(
  random: Random,
  count: number,
  owing: Array<{ store: Store; references: Reference[] }>,
): Deposit[] {
  return Array.from({ length: count }, (_, index) => {
    const { store, references } = oneOf(random, owing);
    const { idFactura, numeroReferencia } = oneOf(random, references);
    const byFactura = random() < 0.5;
    const cents = integer(random, 1, MOST_CENTS);
    return {
      store,
      cents,
      body: {
        idFactura: byFactura ? idFactura : 'sin factura',
        numeroReferencia,
        valor: cents / 100,
        // Each payment at a time of its own: otherwise it might be the same one.
        fechaPago: `2026-11-20 10:${new Date(index).toISOString().slice(14, 23)}`,
        claveDePago: `clave-${index}`,
      },
    };
  });
}

/** Each deposit one to five times, in any order; a fifth of them with all their posts at once. */
function repeated(random: Random, deposits: Deposit[]): Deposit[][] {
  const posts = deposits.flatMap((deposit) => {
    const times = Array.from({ length: integer(random, 1, 5) }, () => deposit);
    return random() < 0.2 ? [times] : times.map((post) => [post]);
  });
  return shuffled(random, posts);
}

/** Posts a deposit until the answer is no 503. @returns the status of that answer */
async function postUntilKept(system: Api, provider: Provider, { body }: Deposit): Promise<number> {
  const query = `paymentProviderName=${encodeURIComponent(provider.name)}`;
  const path = `/customer-transaction/payment/deposit?${query}`;
  for (;;) {
    const { status } = await system.call(provider.key, 'POST', path, { body });
    if (status !== 503) return status;
    await sleep(RETRY_MS);
  }
}

/** Waits until no deposit is left that is only received. */
async function untilApplied(system: Api): Promise<void> {
  await waitFor(async () => {
    const path = '/admin/deposits?status=received&limit=1';
    const { status, body } = await system.call(system.opsKey, 'GET', path);
    return (status === 200 && body.deposits.length === 0) || undefined;
  });
}

const STORES = 12;
const ORDERS_OF_A_STORE = 3;
const DEPOSITS = 500;
const CLIENTS = 8;
const KILLS = 5;
/** All deposits of a store are about what it owes: some stores pay too much. */
const MOST_CENTS = 16_000;

/** Set DEPOSITS_SEED to a seed that a failed run has in its title to see that run again. */
const seed = Number(process.env.DEPOSITS_SEED ?? randomInt(2 ** 31));

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.dispose());

it(`${DEPOSITS} deposits, posted up to five times while payments is killed ${KILLS} times, are each kept and applied once (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const wholesaler = await createWholesaler(system, { confirmationRequired: false });
  const provider = await createProvider(system);
  const owe = async () => {
    const store = await createStore(system, wholesaler);
    const orders = Array.from({ length: ORDERS_OF_A_STORE }, () =>
      deliverOrder(system, wholesaler, store),
    );
    return { store, references: await Promise.all(orders) };
  };
  const owing: Awaited<ReturnType<typeof owe>>[] = [];
  while (owing.length < STORES) owing.push(await owe());
  const deposits = makeDeposits(random, DEPOSITS, owing);
  const posts = repeated(random, deposits);
  const killAt = Array.from({ length: KILLS }, (_, index) =>
    Math.floor((posts.length * (index + random())) / KILLS),
  );

  const statuses: number[] = [];
  const killing: Array<Promise<unknown>> = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < posts.length) {
        if (killAt.includes(next)) killing.push(killPayments());
        const atOnce = posts[next++] ?? [];
        const answers = await Promise.all(
          atOnce.map((deposit) => postUntilKept(system, provider, deposit)),
        );
        statuses.push(...answers);
      }
    }),
  );
  await Promise.all(killing);
  await untilApplied(system);

  expect(killing).toHaveLength(KILLS);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const listed: Array<{ claveDePago: string; valor: number; status: string }> = await rowsOfAll(
    'deposits',
    (cursor) => system.call(system.opsKey, 'GET', `/admin/deposits?limit=100${cursor}`),
  );
  expect(
    listed.map(({ claveDePago, valor, status }) => `${claveDePago} ${valor} ${status}`).toSorted(),
  ).toEqual(
    deposits.map(({ body, cents }) => `${body.claveDePago} ${cents / 100} applied`).toSorted(),
  );
  for (const { store, references } of owing) {
    const given = deposits.filter((deposit) => deposit.store === store);
    const givenCents = given.reduce((total, { cents }) => total + cents, 0);
    const owedCents = references.reduce((total, { amountDue }) => total + inCents(amountDue), 0);
    const ids = references.map(({ transactionId }) => transactionId);
    const payments = await paymentsOf(system, wholesaler, ids);
    const paidCents = payments.reduce((total, [, paid]) => total + inCents(paid), 0);
    expect(paidCents).toBe(Math.min(givenCents, owedCents));
  }
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});

/** Killed once it is up again from the kill before. */
function killPayments(): Promise<true> {
  return waitFor(async () => {
    try {
      system.kill('payments');
      return true as const;
    } catch {
      return undefined;
    }
  });
}

function inCents(amount: number): number {
  return Math.round(amount * 100);
}
