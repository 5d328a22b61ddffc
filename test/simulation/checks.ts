import type { House, OrderRow } from './house/house';
import { debtsOf, lackOf, total } from './model/debts';
import {
  heardTerms,
  isOverdue,
  microsOf,
  priceOfOrder,
  settingsOf,
  share,
  type Model,
  type ModelDebt,
  type ModelOrder,
  type ModelStore,
} from './model/model';

const DELIVERED = ['delivery', 'in-payment-default', 'paid'];

/** @throws Error that names what does not hold */
export function fail(what: string, details: unknown): never {
  throw new Error(`${what}: ${JSON.stringify(details)}`);
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) fail(what, { actual, expected });
}

/** What holds after each step, with messages still on their way. */
export function checkEverywhere(house: House, model: Model): void {
  const { lines, orders, entries } = house.transactions;
  for (const store of model.stores.values()) {
    const line = lines.get(store.id);
    const terms = heardTerms(store);
    same(`${store.id}: heard limit`, line?.limitCents, terms?.limitCents);
    same(`${store.id}: heard status`, line?.status, terms?.status);
    if (line === undefined) continue;
    same(`${store.id}: overdue`, line.overdue, isOverdue(store));
    same(`${store.id}: used`, line.usedCents, store.usedCents);
    if (line.usedCents < 0) fail(`${store.id}: used is negative`, line);
    const ledger = entries.filter(({ cornerStoreId }) => cornerStoreId === store.id);
    const sum = ledger.reduce((cents, { amountCents }) => cents + amountCents, 0);
    same(`${store.id}: sum of entries`, sum, line.usedCents);
    checkMoney(house, model, store);
  }
  same('number of orders', orders.size, model.orders.length);
  for (const order of model.orders) checkOrder(orders.get(order.id ?? ''), model, order);
  for (const debt of model.debts) checkReceivable(house, debt);
  same('number of receivables', house.payments.receivables.size, model.debts.length);
  for (const { id, status } of model.deposits.values()) {
    same(`deposit ${id}`, house.payments.deposits.get(id)?.status, status);
  }
}

/** Whatever was granted since `from` fitted under the limit at that moment. */
export function checkGrants({ transactions: { entries, lines } }: House, from: number): void {
  for (const entry of entries.slice(from)) {
    const line = lines.get(entry.cornerStoreId);
    const grants = entry.kind === 'hold' || entry.kind === 'adjustment';
    if (!grants || entry.amountCents <= 0 || line === undefined) continue;
    if (line.usedCents > line.limitCents) fail('a hold passed the limit', { entry, line });
  }
}

function checkOrder(row: OrderRow | undefined, model: Model, order: ModelOrder): void {
  if (row === undefined) return fail('an order that the house lacks', order);
  const status = DELIVERED.includes(row.status) ? 'delivered' : row.status;
  same(`${row.id}: status`, status, order.status);
  const [interest, iva, principal] = priceOfOrder(order);
  same(`${row.id}: amount`, row.amountCents, principal);
  same(`${row.id}: interests`, row.interestCents, interest);
  same(`${row.id}: IVA`, row.ivaCents, iva);
  const { commissionRate } = settingsOf(model, order.wholesaler);
  same(`${row.id}: commission`, row.commissionCents, share(principal, microsOf(commissionRate)));
  same(`${row.id}: payment date`, row.paymentDueAt.getTime(), order.dueAt);
}

function checkReceivable({ payments }: House, debt: ModelDebt): void {
  const row = payments.receivables.get(debt.order.id ?? '');
  if (row === undefined) return fail('a debt that the house lacks', debt);
  const lack = lackOf(debt);
  same(`${row.id}: interests`, row.owed.interestCents - row.paid.interestCents, lack[0]);
  same(`${row.id}: IVA`, row.owed.ivaCents - row.paid.ivaCents, lack[1]);
  same(`${row.id}: principal`, row.owed.principalCents - row.paid.principalCents, lack[2]);
  same(`${row.id}: in default`, row.inDefault, debt.inDefault);
  const ledger = payments.ledger.filter(({ receivableId }) => receivableId === row.id);
  const sum = ledger.reduce((cents, { parts }) => cents + parts.principalCents, 0);
  same(`${row.id}: sum of entries`, sum, lack[2]);
  if (lack.some((cents) => cents < 0)) fail(`${row.id}: paid beyond its debt`, lack);
}

/** However payments were spread: money in, less debt, is what is owed or what lies there. */
function checkMoney(house: House, model: Model, store: ModelStore): void {
  const balanceCents = house.payments.balances.get(store.id)?.balanceCents ?? 0;
  same(`${store.id}: credit balance`, balanceCents, store.balanceCents);
  const debts = debtsOf(model, store);
  const debtCents = debts.reduce((sum, { owed }) => sum + total(owed), 0);
  const moneyCents = [...model.deposits.values()]
    .filter((deposit) => deposit.status === 'applied' && deposit.store === store.id)
    .reduce((sum, { valorCents }) => sum + valorCents, 0);
  const owedCents = debts.reduce((sum, debt) => sum + total(lackOf(debt)), 0);
  same(`${store.id}: balance by sums`, balanceCents, Math.max(0, moneyCents - debtCents));
  same(`${store.id}: owed by sums`, owedCents, Math.max(0, debtCents - moneyCents));
}

/** What holds once every message has arrived. */
export function checkAtRest(house: House, model: Model): void {
  for (const order of model.orders) {
    const status = house.transactions.orders.get(order.id ?? '')?.status;
    same(`${order.id}: status at rest`, status, statusAtRest(model, order));
  }
  for (const store of model.stores.values()) {
    const open = model.orders
      .filter(({ store: id }) => id === store.id)
      .reduce((cents, order) => cents + openCents(model, order), 0);
    const line = house.transactions.lines.get(store.id);
    same(`${store.id}: used is what is open`, line?.usedCents ?? 0, open);
    const overdue = debtsOf(model, store).some(({ inDefault }) => inDefault);
    same(`${store.id}: overdue at rest`, line?.overdue ?? false, overdue);
  }
}

function statusAtRest(model: Model, order: ModelOrder): string {
  if (order.status !== 'delivered') return order.status;
  const debt = model.debts.find((one) => one.order === order);
  if (debt === undefined) return fail('a delivery that became no debt', order);
  if (total(lackOf(debt)) === 0) return 'paid';
  return debt.inDefault ? 'in-payment-default' : 'delivery';
}

/** The principal that an order still keeps of its store's credit. */
function openCents(model: Model, order: ModelOrder): number {
  if (order.status === 'cancelled' || order.status === 'expired') return 0;
  const debt = model.debts.find((one) => one.order === order);
  return debt === undefined ? order.amountCents : lackOf(debt)[2];
}
