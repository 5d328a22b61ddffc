import { randomUUID } from 'node:crypto';
import {
  creditOf,
  defaultsOf,
  deliverFor,
  deposit,
  eventually,
  orderAtOnce,
  orderBatch,
  orderWithCode,
  paymentOf,
  paymentsOf,
  refusalsOf,
  statusOf,
  unmatched,
  verify,
  paidNow,
} from './support/month';
import {
  createProvider,
  createStore,
  createWholesaler,
  importStore,
  type Provider,
  type Store,
  type Wholesaler,
} from './support/story';
import { startSystem, type System } from './support/system';

const DAY_MS = 24 * 60 * 60_000;

/*
 * Every line is 10,000 at 5 %, so 100 of goods cost 5 of interests and 0.80 of IVA: 105.80.
 * `norte` asks for codes; `sur` does not. Both allow 10 % more on delivery.
 */
let system: System;
let norte: Wholesaler;
let sur: Wholesaler;
let provider: Provider;
/** Ana buys from both, Beto from norte, Caro from sur. */
let ana: Store;
let anaOfSur: Store;
let beto: Store;
let caro: Store;
beforeAll(async () => {
  system = await startSystem();
  norte = await createWholesaler(system);
  sur = await createWholesaler(system, { confirmationRequired: false, paymentTermDays: 7 });
  provider = await createProvider(system);
  ana = await createStore(system, norte);
  // A second wholesaler has the same store, which its phone tells, under a name of its own.
  anaOfSur = await importStore(system, sur, {
    phone: ana.phone,
    creditLimit: 1,
    interestRate: 0.9,
  });
  expect(anaOfSur).toEqual({ ...ana, externalId: anaOfSur.externalId });
  const path = `/corner-store/external/${anaOfSur.externalId}`;
  expect((await system.call(sur.key, 'GET', path)).body.status).toBe('approved');
  beto = await createStore(system, norte);
  caro = await createStore(system, sur);
});
afterAll(() => system.dispose());

/** Transactions of the first weeks that later weeks come back to. */
const orders: Record<'a1' | 'a2' | 'a3' | 'a5', string> = { a1: '', a2: '', a3: '', a5: '' };
let anas: string[] = [];
let betos: string[] = [];
let caros: string[] = [];

it('week 1: Ana buys from two wholesalers, less, as much and more arrives, one order is cancelled', async () => {
  orders.a1 = await orderWithCode(system, norte, ana, { totalAmount: 1000, seen: 0 });
  orders.a2 = await orderWithCode(system, norte, ana, { totalAmount: 2000, seen: 1 });
  const [a3 = '', a4] = await orderBatch(system, sur, ana, [500, 1500]);
  orders.a3 = a3;
  // 10,000 − 1000 − 2000 − 500 − 1500
  await eventually(() => creditOf(system, norte, ana), ['approved', 5000]);

  expect(await deliverFor(system, norte, orders.a1, 900)).toBe('200');
  expect(await deliverFor(system, norte, orders.a2, 2000)).toBe('200');
  expect(await deliverFor(system, sur, orders.a3, 550.01)).toBe('TRANSACTION_AMOUNT_NOT_ALLOWED');
  expect(await deliverFor(system, sur, orders.a3, 550)).toBe('200');
  expect((await system.call(sur.key, 'POST', `/transaction/${a4}/cancel`)).status).toBe(200);
  // 10,000 − 900 − 2000 − 550
  await eventually(() => creditOf(system, sur, anaOfSur), ['approved', 6550]);
});

it('week 2: Ana pays one bill early and half of another, and the rest falls overdue', async () => {
  const [bill1, bill2] = [
    await paymentOf(system, norte, orders.a1),
    await paymentOf(system, norte, orders.a2),
  ];
  // 900 + 45 + 7.20, and 2000 + 100 + 16
  expect([bill1.amountDue, bill2.amountDue]).toEqual([952.2, 2116]);
  expect(await deposit(system, provider, { idFactura: bill1.idFactura, valor: 952.2 })).toBe('200');
  expect(await deposit(system, provider, { idFactura: bill2.idFactura, valor: 1000 })).toBe('200');
  // The 1000 pay 100 of interests, 16 of IVA and 884 of goods: 6550 + 900 + 884
  await eventually(() => creditOf(system, norte, ana), ['approved', 8334]);
  await eventually(
    () => paymentsOf(system, norte, [orders.a1, orders.a2]),
    [
      [0, 952.2],
      [1116, 1000],
    ],
  );

  const asOf = new Date(Date.now() + 30 * DAY_MS).toISOString();
  const detect = { body: { asOf } };
  const detected = await system.call(system.opsKey, 'POST', '/admin/defaults/detect', detect);
  expect([detected.status, detected.body]).toEqual([200, { opened: 2 }]);
  await eventually(() => creditOf(system, norte, ana), ['in-payment-default', 8334]);
  await eventually(() => statusOf(system, norte, orders.a2), 'in-payment-default');
  expect(await defaultsOf(system, norte)).toEqual([[1116, ana.externalId, false]]);
  // 550 + 27.50 + 4.40
  expect(await defaultsOf(system, sur)).toEqual([[581.9, anaOfSur.externalId, false]]);
  await eventually(() => refusalsOf(system, sur, ana), ['USER_IS_IN_DEFAULT']);
});

it('week 3: Ana pays late and too much, is free again, and the surplus pays her next order', async () => {
  const { numeroReferencia } = await paymentOf(system, norte, orders.a2);
  // 1116 + 581.90 are owed: 302.10 are left over.
  expect(await deposit(system, provider, { numeroReferencia, valor: 2000 })).toBe('200');
  await eventually(() => creditOf(system, norte, ana), ['approved', 10_000]);
  expect(await defaultsOf(system, norte)).toEqual([[1116, ana.externalId, true]]);
  expect(await defaultsOf(system, sur)).toEqual([[581.9, anaOfSur.externalId, true]]);
  await eventually(() => statusOf(system, norte, orders.a2), 'paid');
  await eventually(() => refusalsOf(system, norte, ana), []);

  orders.a5 = await orderWithCode(system, norte, ana, { totalAmount: 300, seen: 2 });
  expect(await deliverFor(system, norte, orders.a5, 300)).toBe('200');
  // 317.40 − 302.10, all of it goods
  await eventually(() => paymentsOf(system, norte, [orders.a5]), [[15.3, 302.1]]);
  await eventually(() => creditOf(system, norte, ana), ['approved', 9984.7]);

  anas = await orderBatch(
    system,
    norte,
    ana,
    Array.from({ length: 9 }, () => 100),
  );
  for (const id of anas) expect(await deliverFor(system, norte, id, 100)).toBe('200');
  // Nine bills of 105.80
  await eventually(
    () => paymentsOf(system, norte, anas),
    anas.map(() => [105.8, 0]),
  );
  const { idFactura } = await paymentOf(system, norte, orders.a5);
  // 15.30 for the bill that is named, and six of the nine: 15.30 + 634.80
  expect(await deposit(system, provider, { idFactura, valor: 650.1 })).toBe('200');
  await eventually(() => creditOf(system, norte, ana), ['approved', 9700]);
});

it('week 4: Beto pays too much by one bill, by no bill at all, and that money is taken back', async () => {
  betos = await orderBatch(
    system,
    norte,
    beto,
    Array.from({ length: 10 }, () => 200),
  );
  for (const id of betos) expect(await deliverFor(system, norte, id, 200)).toBe('200');
  await eventually(
    () => paymentsOf(system, norte, betos),
    betos.map(() => [211.6, 0]),
  );

  const { idFactura } = await paymentOf(system, norte, betos[0] ?? '');
  // 211.60, and 500 more: two other bills, and 10 + 1.60 + 65.20 of a fourth
  expect(await deposit(system, provider, { idFactura, valor: 711.6 })).toBe('200');
  // 8000 + 3 × 200 + 65.20
  await eventually(() => creditOf(system, norte, beto), ['approved', 8665.2]);

  // The rest, 134.80 + 6 × 211.60, arrives with an unknown reference.
  const lost = { idFactura: 'sin factura', numeroReferencia: 'sin numero', valor: 1404.4 };
  expect(await deposit(system, provider, lost)).toBe('200');
  await eventually(async () => (await unmatched(system)).length, 1);
  const [{ depositId } = { depositId: '' }] = await unmatched(system);
  const assign = { body: { cornerStoreId: beto.cornerStoreId } };
  await system.call(system.opsKey, 'POST', `/admin/deposits/${depositId}/assign`, assign);
  await eventually(() => creditOf(system, norte, beto), ['approved', 10_000]);
  await eventually(
    () => paymentsOf(system, norte, betos),
    betos.map(() => [0, 211.6]),
  );

  const reverse = { body: { reason: 'era de otra tienda' } };
  await system.call(system.opsKey, 'POST', `/admin/deposits/${depositId}/reverse`, reverse);
  await eventually(() => creditOf(system, norte, beto), ['approved', 8665.2]);
});

it('week 5: Caro pays all by her reference; repeated notices count once', async () => {
  for (const amount of [100, 200, 300, 400, 500, 600]) {
    caros.push(await orderAtOnce(system, sur, caro, amount));
  }
  const cancelled = caros.pop();
  expect((await system.call(sur.key, 'POST', `/transaction/${cancelled}/cancel`)).status).toBe(200);
  expect(await deliverFor(system, sur, caros[3] ?? '', 441)).toBe('TRANSACTION_AMOUNT_NOT_ALLOWED');
  for (const [index, amount] of [110, 200, 250, 440, 500].entries()) {
    expect(await deliverFor(system, sur, caros[index] ?? '', amount)).toBe('200');
  }
  // 110 + 200 + 250 + 440 + 500
  await eventually(() => creditOf(system, sur, caro), ['approved', 8500]);
  await eventually(
    () => paymentsOf(system, sur, caros),
    [
      [116.38, 0],
      [211.6, 0],
      [264.5, 0],
      [465.52, 0],
      [529, 0],
    ],
  );

  const { numeroReferencia } = await paymentOf(system, sur, caros[0] ?? '');
  const all = { numeroReferencia, valor: 1587, claveDePago: randomUUID(), fechaPago: paidNow() };
  expect(await deposit(system, provider, all)).toBe('200');
  expect(await deposit(system, provider, all)).toBe('200');
  expect(await deposit(system, provider, { ...all, valor: 1588 })).toBe('DEPOSIT_CONFLICT');
  await eventually(() => creditOf(system, sur, caro), ['approved', 10_000]);
});

it('month end: every balance equals the one computed by hand, and all services agree', async () => {
  expect(await creditOf(system, norte, ana)).toEqual(['approved', 9700]);
  expect(await creditOf(system, sur, anaOfSur)).toEqual(['approved', 9700]);
  expect(await creditOf(system, norte, beto)).toEqual(['approved', 8665.2]);
  expect(await creditOf(system, sur, caro)).toEqual(['approved', 10_000]);

  const { a1, a2, a3, a5 } = orders;
  expect(await paymentsOf(system, norte, [a1, a2, a5])).toEqual([
    [0, 952.2],
    [0, 2116],
    [0, 317.4],
  ]);
  expect(await paymentsOf(system, sur, [a3])).toEqual([[0, 581.9]]);
  const paid = [0, 105.8];
  const open = [105.8, 0];
  expect(await paymentsOf(system, norte, anas)).toEqual([
    ...Array.from({ length: 6 }, () => paid),
    ...Array.from({ length: 3 }, () => open),
  ]);
  expect(await paymentsOf(system, norte, betos)).toEqual([
    ...[0, 0, 0].map((due) => [due, 211.6]),
    [134.8, 76.8],
    ...Array.from({ length: 6 }, () => [211.6, 0]),
  ]);
  const caroPaid = await paymentsOf(system, sur, caros);
  expect(caroPaid.toSorted((a, b) => a[1] - b[1])).toEqual(
    [116.38, 211.6, 264.5, 465.52, 529].map((amount) => [0, amount]),
  );
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});
