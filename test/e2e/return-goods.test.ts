import {
  creditOf,
  deliverFor,
  deposit,
  eventually,
  orderAtOnce,
  paymentOf,
  statusOf,
  verify,
} from './support/month';
import { sharedSystem } from './support/shared-system';
import {
  createProvider,
  createStore,
  createWholesaler,
  type Store,
  type Wholesaler,
} from './support/story';

const system = sharedSystem();
const asOps = (method: string, path: string, body?: object) =>
  system.call(system.opsKey, method, `/admin/${path}`, { body });

/** A wholesaler whose orders need no code, and a store with a line of 10,000 pesos. */
async function parties() {
  const wholesaler = await createWholesaler(system, { confirmationRequired: false });
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);
  return { wholesaler, provider, store };
}

async function delivered(wholesaler: Wholesaler, store: Store, amount: number): Promise<string> {
  const transactionId = await orderAtOnce(system, wholesaler, store, amount);
  expect(await deliverFor(system, wholesaler, transactionId, amount)).toBe('200');
  return transactionId;
}

async function deliveredAndPaid(
  { wholesaler, provider, store }: Awaited<ReturnType<typeof parties>>,
  amount: number,
): Promise<string> {
  const transactionId = await delivered(wholesaler, store, amount);
  const { idFactura, amountDue: valor } = await paymentOf(system, wholesaler, transactionId);
  expect(await deposit(system, provider, { idFactura, valor })).toMatch(/^20/);
  await eventually(() => statusOf(system, wholesaler, transactionId), 'paid');
  return transactionId;
}

async function credit({ key }: Wholesaler, transactionId: string, amount: number): Promise<void> {
  const path = `/transaction/${transactionId}/credit-notes`;
  const body = { amount, reason: 'return' };
  expect((await system.call(key, 'POST', path, { body })).status).toBe(201);
}

/** Closes what the wholesaler is owed until now. @returns kind and amount of the statement's lines */
async function closed({ wholesalerId }: Wholesaler): Promise<Array<[string, number]>> {
  const until = new Date().toISOString();
  const { body } = await asOps('POST', 'statements/close', { wholesalerId, until });
  const [{ statementId }] = body.statements;
  const { body: page } = await asOps('GET', `statements/${statementId}/lines`);
  return page.lines.map((line: { kind: string; grossAmount: number }) => [
    line.kind,
    line.grossAmount,
  ]);
}

it('after a closing, a return is on the next statement, and the reversal of a deposit on none', async () => {
  const all = await parties();
  const { wholesaler, store } = all;
  const transactionId = await deliveredAndPaid(all, 1000);
  expect(await closed(wholesaler)).toEqual([['delivery', 1000]]);

  await credit(wholesaler, transactionId, 300);
  const { body: listed } = await asOps('GET', 'deposits?limit=100');
  const { depositId } = listed.deposits.find(
    ({ cornerStoreId }: Store) => cornerStoreId === store.cornerStoreId,
  );
  const reversal = await asOps('POST', `deposits/${depositId}/reverse`, { reason: 'devuelto' });
  expect(reversal.status).toBe(200);
  // What is left of the goods is owed again.
  await eventually(async () => (await creditOf(system, wholesaler, store))[1], 10_000 - 700);

  expect(await closed(wholesaler)).toEqual([['credit-note', -300]]);
  const { body } = await asOps('GET', `statements?wholesalerId=${wholesaler.wholesalerId}`);
  expect(
    body.statements.map(({ number, grossAmount }: Record<string, number>) => [number, grossAmount]),
  ).toEqual([
    [2, -300],
    [1, 1000],
  ]);
});

it('the money of a returned order that was paid pays the next debt, and the line is free again', async () => {
  const all = await parties();
  const { wholesaler, store } = all;
  const returned = await deliveredAndPaid(all, 1000);
  const next = await delivered(wholesaler, store, 500);
  await eventually(async () => (await creditOf(system, wholesaler, store))[1], 9_500);
  const { amountDue } = await paymentOf(system, wholesaler, next);

  await credit(wholesaler, returned, 1000);

  await eventually(() => statusOf(system, wholesaler, next), 'paid');
  expect(await paymentOf(system, wholesaler, next)).toMatchObject({
    amountDue: 0,
    amountPaid: amountDue,
  });
  await eventually(async () => (await creditOf(system, wholesaler, store))[1], 10_000);
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});
