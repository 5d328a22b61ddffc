import type { Answer } from '@fiado/chassis/testing/call';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { waitFor } from '../e2e/support/api';
import { sharedSystem } from '../e2e/support/shared-system';
import {
  codeIn,
  confirm,
  createStore,
  createWholesaler,
  importStore,
  order,
  type Store,
  type Wholesaler,
} from '../e2e/support/story';
import { outcomeOf } from './attacker/flood';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

/** Orders that are cycled: a hundred guesses, where five for each code were the only limit. */
const ORDERS = 20;
const GUESSES = 5;
const CHECKED = '422 VERIFICATION_NOT_VALID';
const REFUSED = '429 TOO_MANY_ATTEMPTS';

/** Of the twenty that are compared one would be right once in 50,000 runs. */
const guesses = Array.from({ length: GUESSES }, (_, n) => String(100_000 + n));

function countOf(outcomes: string[], outcome: string): number {
  return outcomes.filter((one) => one === outcome).length;
}

const newLink = (attacker: Wholesaler, store: Store): Promise<Answer> =>
  system.call(attacker.key, 'POST', `/link/external/${store.externalId}`, {
    body: {
      transaction: {
        totalAmount: 100,
        products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
      },
    },
  });

it('codes are not guessed by orders that are cancelled and placed again', async () => {
  const [attacker, victim] = [await createWholesaler(system), await createWholesaler(system)];
  const store = await createStore(system, attacker);
  await importStore(system, victim, { externalId: store.externalId, phone: store.phone });
  // The victim's order waits for its code while the attacker guesses at its own.
  const waiting = await order(system, victim, store);
  const code = codeIn(await system.sms(store.phone, 'order-code'));

  await besideNeighbour(system, 'orders cycled for their codes', async () => {
    const outcomes: string[] = [];
    for (let cycled = 0; cycled < ORDERS; cycled += 1) {
      const { transactionId, verificationId } = await order(system, attacker, store);
      const path = `/transaction/${transactionId}/verification/${verificationId}`;
      const answers = await Promise.all(
        guesses.map((errorCode) => system.call(attacker.key, 'PUT', path, { body: { errorCode } })),
      );
      outcomes.push(...answers.map(outcomeOf));
      await system.call(attacker.key, 'POST', `/transaction/${transactionId}/cancel`);
    }
    expect([countOf(outcomes, CHECKED), countOf(outcomes, REFUSED)]).toEqual([
      20,
      ORDERS * GUESSES - 20,
    ]);
  });

  await confirm(system, victim, waiting, code);
});

it('codes are not guessed on the pages of link after link', async () => {
  const attacker = await createWholesaler(system);
  const store = await createStore(system, attacker);
  const post = async (url: string, form: string): Promise<number> => {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    return status;
  };

  await besideNeighbour(system, 'links opened for their codes', async () => {
    const statuses: number[] = [];
    for (let links = 0; links < 10; links += 1) {
      const { body } = await newLink(attacker, store);
      const page = `${system.baseUrl}/pedido/${body.transactionId}`;
      expect(await post(`${page}/enviar`, '')).toBe(303);
      const answers = await Promise.all(guesses.map((guess) => post(page, `code=${guess}`)));
      statuses.push(...answers);
      await system.call(attacker.key, 'POST', `/transaction/${body.transactionId}/cancel`);
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});

it('a delivery word is not guessed, and its wrong words cost no check of a code', async () => {
  const attacker = await createWholesaler(system);
  const store = await createStore(system, attacker);
  const held = await order(system, attacker, store);
  await confirm(system, attacker, held, codeIn(await system.sms(store.phone, 'order-code')));
  const deliver = () =>
    system.call(attacker.key, 'PUT', `/transaction/${held.transactionId}`, {
      body: { status: 'delivery', transactionAmount: 1000, deliveryWord: 'LimonLimon' },
    });

  await besideNeighbour(system, 'delivery words tried', async () => {
    const answers = await inFlight(Array.from({ length: 40 }, () => deliver));
    const outcomes = answers.map(outcomeOf);
    expect([
      countOf(outcomes, '422 DELIVERY_WORD_NOT_VALID'),
      countOf(outcomes, '429 TOO_MANY_ATTEMPTS'),
    ]).toEqual([20, 20]);
  });

  const next = await order(system, attacker, store);
  await confirm(system, attacker, next, codeIn(await system.sms(store.phone, 'order-code', 1)));
});

it('the preview of a link in a chat sends no code, its button sends one', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const { body } = await newLink(wholesaler, store);
  const page = `${system.baseUrl}/pedido/${body.transactionId}`;
  const messages = async (): Promise<number> => {
    const { body } = await system.call(system.opsKey, 'POST', '/admin/messages/search', {
      body: { phoneNumber: store.phone },
    });
    return body.messages.filter(({ template }: { template: string }) => template === 'order-code')
      .length;
  };

  for (const path of ['', '/enviar', '/reenviar']) {
    for (const method of ['GET', 'HEAD']) await fetch(`${page}${path}`, { method });
  }
  // A code that were sent would come before this one, of an order placed later.
  await order(system, wholesaler, store);
  await system.sms(store.phone, 'order-code');
  expect(await messages()).toBe(1);

  await fetch(`${page}/enviar`, { method: 'POST', redirect: 'manual' });
  await waitFor(async () => ((await messages()) === 2 ? true : undefined));
});
