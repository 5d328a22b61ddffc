import { debtsOf, outstandingOf } from './model/debts';
import { heldCents } from './model/held';
import {
  copyOf,
  found,
  INSTALLATION_ZONE,
  isOverdue,
  newest,
  priceOf,
  share,
  sum,
  type Model,
  type ModelDebt,
  type ModelOrder,
  type ModelStore,
} from './model/model';
import type { LineState, OrderState, ReceivableState, State } from './system/state';

/** Compares plain values by their JSON. @throws Error that names what differs */
export function same(what: string, product: unknown, model: unknown): void {
  if (text(product) === text(model)) return;
  throw new Error(`${what}: the product has ${text(product)}, the model has ${text(model)}`);
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** Compares all rows of the product with the model, with messages still on their way. */
export function compareState(model: Model, state: State): void {
  compareCopies(model, state);
  same('number of orders', state.orders.length, model.orders.size);
  for (const row of state.orders) compareOrder(model.orders.get(row.id), row);
  same('number of receivables', state.receivables.length, model.debts.size);
  for (const row of state.receivables) compareReceivable(model.debts.get(row.order), row);
  same('number of deposits', state.deposits.length, model.deposits.size);
  for (const { id, key, status } of state.deposits) {
    const deposit = model.deposits.get(key);
    same(`deposit ${key}`, { id, status }, { id: deposit?.id, status: deposit?.status });
  }
  compareMoney(model, state);
  compareSettlement(model, state);
}

function compareCopies(model: Model, state: State): void {
  for (const [id, wholesaler] of model.wholesalers) {
    const row = state.wholesalers.find((one) => one.id === id);
    same(`wholesaler ${id}: version`, row?.version ?? 0, wholesaler.copied);
    same(`wholesaler ${id}: minimum`, row?.minimumCents, copyOf(wholesaler)?.minimumCents);
  }
  for (const store of model.stores.values()) {
    compareLine(
      store,
      state.lines.find(({ id }) => id === store.id),
    );
    const seen = store.defaults[store.defaultsSeen.accounts - 1];
    const row = state.stores.find(({ id }) => id === store.id);
    same(`store ${store.id}: overdue in accounts`, row?.overdue, seen?.overdue ?? false);
  }
}

function compareLine(store: ModelStore, line: LineState | undefined): void {
  const what = `line of store ${store.id}`;
  const terms = copyOf(store);
  same(`${what}: version`, line?.version ?? 0, store.copied);
  if (line === undefined) return;
  same(`${what}: status`, line.status, terms?.status);
  same(`${what}: limit`, line.limitCents, terms?.limitCents);
  same(`${what}: time zone`, line.timeZone ?? INSTALLATION_ZONE, terms?.timeZone);
  same(`${what}: rate`, line.interestRate, terms?.interestRate);
  same(`${what}: overdue`, line.overdue, isOverdue(store));
  same(`${what}: used`, line.usedCents, store.usedCents);
  same(`${what}: sum of entries`, line.entriesCents, line.usedCents);
}

function compareOrder(order: ModelOrder | undefined, row: OrderState): void {
  if (order === undefined) throw new Error(`The model has no order ${row.id}`);
  const what = `order ${row.id}`;
  const { interestCents, ivaCents, amountCents } = row;
  same(`${what}: status`, row.status, statusOf(order));
  same(`${what}: interest, IVA, amount`, [interestCents, ivaCents, amountCents], priceOf(order));
  const ended = order.status === 'cancelled' || order.status === 'expired';
  const commissionCents = ended ? null : share(amountCents, order.commissionRate);
  same(`${what}: commission`, row.commissionCents, commissionCents);
  same(`${what}: payment date`, row.dueAt, order.dueAt);
  if (order.status !== 'pending-verification' || order.code === undefined) return;
  const { sends, checks, expiresAt } = order.code;
  const code = { sends: row.sends, checks: row.checks, expiresAt: row.expiresAt };
  same(`${what}: code`, code, { sends, checks, expiresAt });
}

function statusOf({ status, payment, inDefault }: ModelOrder): string {
  if (status !== 'delivered') return status;
  if (payment.paid) return 'paid';
  return inDefault.value ? 'in-payment-default' : 'delivery';
}

function compareReceivable(debt: ModelDebt | undefined, row: ReceivableState): void {
  const what = `receivable of order ${row.order}`;
  if (debt === undefined) throw new Error(`The model has no ${what}`);
  same(`${what}: owed`, row.owed, debt.owed);
  same(`${what}: outstanding`, row.outstanding, outstandingOf(debt));
  same(`${what}: sum of entries`, row.ledger, row.outstanding);
  same(`${what}: version`, row.version, debt.versions.length);
  same(`${what}: in default`, row.inDefault, debt.inDefault);
  same(`${what}: open defaults`, row.openDefaults, Number(debt.inDefault));
  same(`${what}: withdrawn defaults`, row.withdrawnDefaults, debt.withdrawn);
  const paid = debt.paid.map(({ from, parts }) => ({ deposit: from, parts }));
  const payments = row.payments.map(({ deposit, parts }) => ({ deposit, parts }));
  same(`${what}: allocations`, payments, paid);
  debt.paid.forEach((payment, at) => (payment.id = row.payments[at]?.id));
}

/** However payments were spread: money in, less debt, is what lies in the balance or is owed. */
function compareMoney(model: Model, state: State): void {
  for (const store of model.stores.values()) {
    const row = state.balances.find((one) => one.store === store.id);
    const what = `store ${store.id}`;
    same(`${what}: has a payment reference`, row !== undefined, store.hasReference);
    if (row === undefined) continue;
    same(`${what}: credit balance`, row.cents, store.balanceCents);
    same(`${what}: held of the credit balance`, row.heldCents, heldCents(model, store));
    same(`${what}: ledger of the credit balance`, row.ledgerCents, row.cents);
    const debts = debtsOf(model, store);
    const debtCents = debts.reduce(
      (cents, { owed, credited }) => cents + sum(owed) - sum(credited),
      0,
    );
    const moneyCents = [...model.deposits.values()]
      .filter((deposit) => deposit.status === 'applied' && deposit.store === store.id)
      .reduce((cents, { valorCents }) => cents + valorCents, 0);
    same(`${what}: credit balance by sums`, row.cents, Math.max(0, moneyCents - debtCents));
  }
}

/** Each delivery and credit note has one line, and each closed line one statement. */
function compareSettlement(model: Model, { settlement, statements }: State): void {
  same('number of lines of statements', settlement.length, model.lines.size);
  for (const { source, ...row } of settlement) {
    const line = found(model.lines, source);
    const { wholesaler, grossCents, commissionCents, payableFrom, number } = line;
    same(`line of ${source}`, row, {
      wholesaler,
      grossCents,
      commissionCents,
      payableFrom,
      number,
    });
  }
  for (const id of model.wholesalers.keys()) {
    const rows = statements.filter(({ wholesaler }) => wholesaler === id);
    const closed = model.statements.get(id)?.closed ?? [];
    same(
      `statements of wholesaler ${id}`,
      rows,
      closed.map(({ number, lines, openingCents, netCents }) => ({
        wholesaler: id,
        number,
        lines,
        openingCents,
        netCents,
        dueCents: Math.max(0, netCents),
      })),
    );
  }
}

/** @throws Error when a step took credit and left a line above its limit */
export function checkHolds(before: State, after: State): void {
  for (const line of after.lines) {
    const earlier = before.lines.find(({ id }) => id === line.id);
    const held = line.holds > (earlier?.holds ?? 0);
    if (held && line.usedCents > line.limitCents) {
      throw new Error(`A hold passed the limit of store ${line.id}: ${text(line)}`);
    }
  }
}

/** What holds once every message was delivered: transactions agrees with accounts and payments. */
export function compareAtRest(model: Model): void {
  for (const order of model.orders.values()) {
    if (order.status !== 'delivered') continue;
    const debt = found(model.debts, order.id);
    const paid = sum(outstandingOf(debt)) === 0;
    same(`order ${order.id}: paid at rest`, order.payment.paid, paid);
    same(`order ${order.id}: in default at rest`, order.inDefault.value, debt.inDefault);
  }
  for (const store of model.stores.values()) {
    same(`store ${store.id}: terms at rest`, copyOf(store), newest(store));
    const openCents = [...model.orders.values()]
      .filter((order) => order.store === store.id)
      .reduce((cents, order) => cents + openCentsOf(model, order), 0);
    same(`store ${store.id}: used is what is open`, store.usedCents, openCents);
    const overdue = debtsOf(model, store).some(({ inDefault }) => inDefault);
    same(`store ${store.id}: overdue at rest`, isOverdue(store), overdue);
  }
}

/** The principal that an order still keeps of its store's credit. */
function openCentsOf(model: Model, order: ModelOrder): number {
  if (order.status === 'cancelled' || order.status === 'expired') return 0;
  const debt = model.debts.get(order.id);
  return debt === undefined ? order.amountCents : outstandingOf(debt)[2];
}
