import { lastMoment } from './disputes';
import { giveBack, purseOf, takeSurplus, type Coin } from './held';
import {
  found,
  priceOf,
  sum,
  type DefaultsNews,
  type Model,
  type ModelDebt,
  type ModelDeposit,
  type ModelPayment,
  type ModelStore,
  type Parts,
} from './model';

/** What is still to pay of a debt. */
export function outstandingOf({ owed, credited, paid }: ModelDebt): Parts {
  return [credited, ...paid.map(({ parts }) => parts)].reduce<Parts>(
    ([interest, iva, principal], parts) => [
      interest - parts[0],
      iva - parts[1],
      principal - parts[2],
    ],
    owed,
  );
}

export function debtsOf(model: Model, { id }: ModelStore): ModelDebt[] {
  return [...model.debts.values()].filter(({ store }) => store === id);
}

/** Books the debt of a delivery, once, and pays it with the store's credit balance. */
export function openDebt(model: Model, orderId: string): void {
  const order = found(model.orders, orderId);
  const store = found(model.stores, order.store);
  store.hasReference = true;
  if (model.debts.has(orderId)) return;
  const debt: ModelDebt = {
    order: orderId,
    store: order.store,
    dueAt: order.dueAt,
    owed: priceOf(order),
    credited: [0, 0, 0],
    paid: [],
    inDefault: false,
    withdrawn: 0,
    creditedAt: undefined,
    versions: [],
  };
  model.debts.set(orderId, debt);
  addVersion(debt);
  publish(store, model, { opened: [], closed: useBalance(model, store) });
}

/**
 * Books a credit note. Of each part that is then paid too much, the newest payments lose as much: it
 * lies in the credit balance, and pays this debt first.
 */
export function creditDebt(model: Model, orderId: string, creditNoteId: string): void {
  openDebt(model, orderId);
  const debt = found(model.debts, orderId);
  const store = found(model.stores, debt.store);
  const note = found(found(model.orders, orderId).credits, creditNoteId);
  debt.credited = [0, 1, 2].map((part) => (debt.credited[part] ?? 0) + (note[part] ?? 0)) as Parts;
  debt.creditedAt = model.now;
  const excess = outstandingOf(debt).map((cents) => Math.max(0, -cents)) as Parts;
  addVersion(debt);
  for (const payment of newestFirst(debt.paid)) {
    const back = payment.parts.map((cents, part) => Math.min(cents, excess[part] ?? 0)) as Parts;
    if (sum(back) === 0) continue;
    for (const part of [0, 1, 2] as const) {
      payment.parts[part] -= back[part];
      excess[part] -= back[part];
    }
    store.balanceCents += sum(back);
    giveBack(model, store, { payment, cents: sum(back), note: creditNoteId });
    if (payment.from !== null) found(model.deposits, payment.from).surplusCents += sum(back);
    addVersion(debt);
  }
  debt.paid = debt.paid.filter(({ parts }) => sum(parts) > 0);
  const isSettled = debt.inDefault && sum(outstandingOf(debt)) === 0;
  if (isSettled) debt.inDefault = false;
  const closed = useBalance(model, store, orderId);
  publish(store, model, { opened: [], closed: isSettled ? [orderId, ...closed] : closed });
}

function newestFirst(payments: ModelPayment[]): ModelPayment[] {
  return payments.toSorted((a, b) => b.paidAt - a.paidAt || ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
}

/** A deposit above both waits for ops: a fixed amount, and so many times what the store owes. */
const CEILING_CENTS = 1_000_000;
const CEILING_TIMES_OWED = 3;

/** Its references decide whose debt a deposit pays; those of two stores leave it to ops. */
export function applyDeposit(model: Model, deposit: ModelDeposit): void {
  if (deposit.status !== 'received') return;
  const named = deposit.order === undefined ? undefined : found(model.debts, deposit.order);
  const store = named?.store ?? deposit.payer;
  const isAmbiguous = deposit.payer !== undefined && deposit.payer !== store;
  if (
    store === undefined ||
    isAmbiguous ||
    isAboveCeiling(model, deposit, found(model.stores, store))
  ) {
    deposit.status = 'unmatched';
  } else {
    useDeposit(model, deposit, { store: found(model.stores, store), first: deposit.order });
  }
}

function isAboveCeiling(model: Model, { valorCents }: ModelDeposit, store: ModelStore): boolean {
  const owed = debtsOf(model, store).reduce((cents, debt) => cents + sum(outstandingOf(debt)), 0);
  return valorCents > Math.max(CEILING_CENTS, CEILING_TIMES_OWED * owed);
}

/** ops assigns an unmatched deposit; what it named counts no more. */
export function assignDeposit(model: Model, deposit: ModelDeposit, storeId: string): string {
  const store = found(model.stores, storeId);
  if (!store.hasReference) return 'CORNER_STORE_NOT_FOUND';
  if (deposit.status !== 'unmatched') return 'DEPOSIT_IS_NOT_UNMATCHED';
  useDeposit(model, deposit, { store, first: undefined });
  return 'applied';
}

/** Pays the named debt, then the oldest due; the rest goes to the credit balance. */
function useDeposit(
  model: Model,
  deposit: ModelDeposit,
  { store, first }: { store: ModelStore; first: string | undefined },
): void {
  const { leftCents, closed } = pay(model, store, {
    cents: deposit.valorCents,
    from: deposit.key,
    first,
  });
  store.balanceCents += leftCents;
  Object.assign(deposit, { status: 'applied', store: store.id, surplusCents: leftCents });
  for (const order of closed) {
    if (wasPaidInTime(model, found(model.debts, order), deposit))
      found(model.debts, order).withdrawn += 1;
  }
  publish(store, model, { opened: [], closed });
}

/** A provider's report that is later than this proves nothing. */
const LATEST_REPORT_MS = 90 * 24 * 60 * 60_000;

/** Whether all that took off a debt was in time, and only the signed report of it was late. */
function wasPaidInTime(model: Model, debt: ModelDebt, deposit: ModelDeposit): boolean {
  const { paid, creditedAt = 0 } = debt;
  const dueAt = lastMoment(model, debt);
  if (!deposit.isSigned || deposit.receivedAt - deposit.paidAt > LATEST_REPORT_MS) return false;
  if (creditedAt > dueAt) return false;
  return paid.every(({ from, paidAt: bookedAt }) => {
    if (bookedAt <= dueAt) return true;
    const reported = from === null ? undefined : found(model.deposits, from);
    return reported?.isSigned === true && reported.paidAt <= dueAt;
  });
}

/**
 * All that the deposit paid is owed again. Its surplus leaves the credit balance; as much of it as
 * was spent is taken back from what the balance paid, newest first and principal first. What then
 * lies in the balance pays what is owed, and what is past due is in default again.
 */
export function reverseDeposit(model: Model, deposit: ModelDeposit): void {
  if (deposit.status === 'applied') undoDeposit(model, deposit);
  deposit.status = 'reversed';
}

/** The same, but the deposit waits for ops again, which may assign it to any store. */
export function unassignDeposit(model: Model, deposit: ModelDeposit): string {
  if (deposit.status !== 'applied') return 'DEPOSIT_IS_NOT_ASSIGNED';
  undoDeposit(model, deposit);
  deposit.status = 'unmatched';
  return 'unmatched';
}

function undoDeposit(model: Model, deposit: ModelDeposit): void {
  const storeId = deposit.store;
  if (storeId === undefined) throw new Error(`Deposit ${deposit.key} was applied to no store`);
  const store = found(model.stores, storeId);
  const debts = debtsOf(model, store);
  for (const debt of debts.filter(({ paid }) => paid.some(({ from }) => from === deposit.key))) {
    debt.paid = debt.paid.filter(({ from }) => from !== deposit.key);
    addVersion(debt);
  }

  const missing = Math.max(0, deposit.surplusCents - store.balanceCents);
  store.balanceCents += missing;
  takeBackSpent(model, store, missing);
  takeSurplus(model, store, deposit);
  store.balanceCents -= deposit.surplusCents;
  const closed = useBalance(model, store);
  Object.assign(deposit, { store: undefined, surplusCents: 0 });
  publish(store, model, { opened: openDefaults(model, debts, model.now), closed });
}

function takeBackSpent(model: Model, store: ModelStore, missingCents: number): void {
  const spent = debtsOf(model, store)
    .flatMap((debt) => debt.paid.map((payment) => ({ debt, payment })))
    .filter(({ payment }) => payment.from === null)
    .toSorted(
      (a, b) =>
        b.payment.paidAt - a.payment.paidAt ||
        ((a.payment.id ?? '') < (b.payment.id ?? '') ? -1 : 1),
    );
  let leftCents = missingCents;
  for (const { debt, payment } of spent) {
    if (leftCents === 0) return;
    const before = leftCents;
    for (const part of [2, 1, 0] as const) {
      const back = Math.min(leftCents, payment.parts[part]);
      payment.parts[part] -= back;
      leftCents -= back;
    }
    giveBack(model, store, { payment, cents: before - leftCents });
    debt.paid = debt.paid.filter(({ parts }) => sum(parts) > 0);
    addVersion(debt);
  }
}

/** Every unpaid debt that was due before the moment is in default. @returns how many are new */
export function detectDefaults(model: Model, asOf: number): number {
  let count = 0;
  for (const store of model.stores.values()) {
    const opened = openDefaults(model, debtsOf(model, store), asOf);
    publish(store, model, { opened, closed: [] });
    count += opened.length;
  }
  return count;
}

function openDefaults(model: Model, debts: ModelDebt[], asOf: number): string[] {
  const due = debts.filter(
    (debt) => !debt.inDefault && sum(outstandingOf(debt)) > 0 && lastMoment(model, debt) < asOf,
  );
  for (const debt of due) debt.inDefault = true;
  return due.map(({ order }) => order);
}

/** @returns orders whose default it ended */
function useBalance(model: Model, store: ModelStore, first?: string): string[] {
  const purse = purseOf(model, store);
  const money = { cents: store.balanceCents, from: null, first, purse };
  const { leftCents, closed } = pay(model, store, money);
  store.balanceCents = leftCents;
  return closed;
}

/** Pays interest, then IVA, then principal of the first debt, then of the others by due date. */
function pay(
  model: Model,
  store: ModelStore,
  {
    cents,
    from,
    first,
    purse = () => [],
  }: {
    cents: number;
    from: string | null;
    first: string | undefined;
    purse?: (cents: number) => Coin[];
  },
): { leftCents: number; closed: string[] } {
  let leftCents = cents;
  const closed: string[] = [];
  const byDate = debtsOf(model, store).toSorted((a, b) => a.dueAt - b.dueAt);
  const named = byDate.filter(({ order }) => order === first);
  for (const debt of new Set([...named, ...byDate])) {
    const parts = outstandingOf(debt).map((outstanding) => {
      const paid = Math.min(outstanding, leftCents);
      leftCents -= paid;
      return paid;
    }) as Parts;
    if (sum(parts) === 0) continue;
    debt.paid.push({ from, paidAt: model.now, id: undefined, parts, coins: purse(sum(parts)) });
    addVersion(debt);
    if (sum(outstandingOf(debt)) > 0 || !debt.inDefault) continue;
    debt.inDefault = false;
    closed.push(debt.order);
  }
  return { leftCents, closed };
}

function addVersion(debt: ModelDebt): void {
  const outstanding = outstandingOf(debt);
  debt.versions.push({ principalCents: outstanding[2], totalCents: sum(outstanding) });
}

/** Opening or closing a default publishes the overdue status of the store. */
function publish(store: ModelStore, model: Model, news: Omit<DefaultsNews, 'overdue'>): void {
  if (news.opened.length + news.closed.length === 0) return;
  const overdue = debtsOf(model, store).some(({ inDefault }) => inDefault);
  store.defaults.push({ ...news, overdue });
}
