import { createHmac, randomUUID } from 'node:crypto';
import { waitFor } from '../e2e/support/api';
import { sharedSystem } from '../e2e/support/shared-system';
import {
  codeIn,
  confirm,
  createStore,
  createWholesaler,
  deliver,
  order,
  type Provider,
} from '../e2e/support/story';
import { flood } from './attacker/flood';
import { ATTACK_MS } from './support/limits';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

const PER_SECOND = 100;

/** How much of an order is paid, and how. */
interface Payment {
  idFactura: string;
  numeroReferencia: string;
  status: string;
}

/** A store that owes some 950 pesos. @returns reads how it pays */
async function debt(): Promise<() => Promise<Payment>> {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const ordered = await order(system, wholesaler, store);
  await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
  await deliver(system, wholesaler, ordered.transactionId);
  const path = `/transaction/${ordered.transactionId}/payment`;
  return () =>
    waitFor(async () => {
      const { status, body } = await system.call(wholesaler.key, 'GET', path);
      return status === 200 ? body : undefined;
    });
}

async function providerWith(settings: object): Promise<Provider & { signingSecret: string }> {
  const name = `Pagos ${randomUUID()}`;
  const { body } = await system.call(system.opsKey, 'POST', '/admin/payment-providers', {
    body: { name, ...settings },
  });
  return { name, key: body.apiKey, signingSecret: body.signingSecret };
}

function notice(changes: object): string {
  return JSON.stringify({
    idFactura: '-',
    numeroReferencia: '-',
    valor: 1_000,
    fechaPago: '2026-11-20 10:00:00.000',
    claveDePago: randomUUID(),
    ...changes,
  });
}

function post({ name, key }: Provider, body: string, headers: Record<string, string> = {}) {
  const query = `paymentProviderName=${encodeURIComponent(name)}`;
  const path = `/customer-transaction/payment/deposit?${query}`;
  return system.call(key, 'POST', path, { body, headers });
}

function signed(secret: string, body: string): Record<string, string> {
  const time = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'fiado-signature': `t=${time},v1=${v1}` };
}

/** The status of each of a provider's deposits, once all are processed. */
function outcomesOf({ name }: Provider): Promise<string[]> {
  return waitFor(async () => {
    const path = '/admin/deposits?limit=100';
    const { body } = await system.call(system.opsKey, 'GET', path);
    const own = body.deposits.filter(
      ({ paymentProvider }: { paymentProvider: string }) => paymentProvider === name,
    );
    const outcomes: string[] = own.map(
      ({ status, reason }: { status: string; reason: string | null }) => reason ?? status,
    );
    return outcomes.length === 0 || outcomes.includes('received') ? undefined : outcomes;
  });
}

it('a stolen key pays nothing without the signing secret, or from another address', async () => {
  const payment = await debt();
  const { idFactura } = await payment();
  const signing = await providerWith({ signatureRequired: true });
  const listed = await providerWith({ allowedAddresses: ['203.0.113.0/24'] });

  await besideNeighbour(system, 'deposits with stolen keys', async () => {
    let turn = 0;
    const outcomes = await flood({ perSecond: PER_SECOND, durationMs: ATTACK_MS }, () => {
      turn += 1;
      const body = notice({ idFactura });
      if (turn % 3 === 0) return post(listed, body);
      return post(signing, body, turn % 3 === 1 ? {} : signed('a guess', body));
    });
    expect(Object.keys(outcomes).sort()).toEqual(['401 SIGNATURE_NOT_VALID', '403 FORBIDDEN']);
  });
  expect((await payment()).status).toBe('pending');

  const body = notice({ idFactura });
  expect((await post(signing, body, signed(signing.signingSecret, body))).status).toBe(200);
  await waitFor(async () => (await payment()).status === 'paid' || undefined);
});

it('a stolen key finds no debt from another’s references, and pays none with far too much', async () => {
  const payment = await debt();
  const own = await payment();
  const thief = await providerWith({});

  await besideNeighbour(system, 'guessed references', async () => {
    for (let step = 1; step <= 40; step += 1) {
      const next = (reference: string) => nextReference(reference, step);
      const { idFactura, numeroReferencia } = own;
      await post(thief, notice({ idFactura: next(idFactura) }));
      await post(thief, notice({ numeroReferencia: next(numeroReferencia) }));
    }
    await post(thief, notice({ idFactura: own.idFactura, valor: 1_000_000 }));
    expect(new Set(await outcomesOf(thief))).toEqual(new Set(['unknown', 'above-ceiling']));
  });
  expect((await payment()).status).toBe('pending');
});

/** The reference that is so many numbers further, with its Luhn digit. */
function nextReference(reference: string, step: number): string {
  const number = String(Number(reference.slice(0, -1)) + step);
  const sum = Array.from(number)
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return `${number}${(10 - (sum % 10)) % 10}`;
}
