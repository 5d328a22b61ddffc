import {
  priceOfOrder,
  storeOf,
  type Model,
  type ModelDebt,
  type ModelDeposit,
  type ModelOrder,
  type ModelStore,
  type Triple,
} from './model';

export function total([interest, iva, principal]: Triple): number {
  return interest + iva + principal;
}

/** What a debt still lacks, part by part. */
export function lackOf({ owed, paid }: ModelDebt): Triple {
  return paid.reduce<Triple>(
    ([interest, iva, principal], { parts }) => [
      interest - parts[0],
      iva - parts[1],
      principal - parts[2],
    ],
    owed,
  );
}

/** A delivery is a debt once, however often it is told; money that lies there pays it at once. */
export function expectDebt(model: Model, order: ModelOrder): void {
  const store = storeOf(model, order.store);
  store.known = true;
  if (model.debts.some((debt) => debt.order === order)) return;
  model.debts.push({ order, owed: priceOfOrder(order), paid: [], inDefault: false });
  tellIf(model, store, useBalance(model, store));
}

export function expectDepositApplied(model: Model, deposit: ModelDeposit): void {
  if (deposit.status !== 'received') return;
  const store = deposit.bill?.store ?? deposit.payer;
  if (store === undefined) deposit.status = 'unmatched';
  else use(model, deposit, storeOf(model, store));
}

export function expectAssignment(model: Model, deposit: ModelDeposit, storeId: string): string {
  const store = storeOf(model, storeId);
  if (!store.known) return 'CORNER_STORE_NOT_FOUND';
  if (deposit.status !== 'unmatched') return 'DEPOSIT_IS_NOT_UNMATCHED';
  use(model, { ...deposit, bill: undefined }, store);
  return 'assigned';
}

/** Named bill, then the oldest due, then the credit balance. */
function use(model: Model, { id, bill, valorCents }: ModelDeposit, store: ModelStore): void {
  const { leftCents, closed } = pay(model, store, { cents: valorCents, from: id, bill });
  store.balanceCents += leftCents;
  const deposit = model.deposits.get(id);
  Object.assign(deposit ?? {}, { status: 'applied', store: store.id, surplusCents: leftCents });
  tellIf(model, store, closed);
}

/**
 * All that the deposit paid is owed again. Its surplus leaves the balance; what of it was spent is
 * taken back from what the balance paid, newest first and principal first. Then what still lies in
 * the balance pays what is owed, and what is past due is in default again.
 */
export function expectReversal(model: Model, deposit: ModelDeposit): void {
  const { status, store: storeId } = deposit;
  deposit.status = 'reversed';
  if (status === 'reversed' || storeId === undefined) return;
  const store = storeOf(model, storeId);
  const debts = debtsOf(model, store);
  for (const debt of debts) debt.paid = debt.paid.filter(({ from }) => from !== deposit.id);

  let missing = Math.max(0, deposit.surplusCents - store.balanceCents);
  store.balanceCents += missing - deposit.surplusCents;
  // One spending may pay several debts; of those the first paid is the first to give back.
  const spent = debts
    .toSorted((a, b) => a.order.dueAt - b.order.dueAt)
    .flatMap((debt) => debt.paid.filter(({ from }) => from === null));
  const order = spent.toSorted((a, b) => b.spending - a.spending);
  for (const { parts } of order) {
    for (const part of [2, 1, 0] as const) {
      const back = Math.min(missing, parts[part]);
      parts[part] -= back;
      missing -= back;
    }
  }
  const closed = useBalance(model, store);
  const opened = open(debts, model.now);
  tellIf(model, store, closed || opened > 0);
}

/** Every unpaid debt past its date is in default. @returns how many are new */
export function expectDetection(model: Model, asOf: number): number {
  let opened = 0;
  for (const store of model.stores.values()) {
    const news = open(debtsOf(model, store), asOf);
    tellIf(model, store, news > 0);
    opened += news;
  }
  return opened;
}

function open(debts: ModelDebt[], asOf: number): number {
  const due = debts.filter(
    (debt) => !debt.inDefault && total(lackOf(debt)) > 0 && debt.order.dueAt < asOf,
  );
  for (const debt of due) debt.inDefault = true;
  return due.length;
}

/** @returns whether that ended a default */
function useBalance(model: Model, store: ModelStore): boolean {
  const { leftCents, closed } = pay(model, store, {
    cents: store.balanceCents,
    from: null,
    bill: undefined,
  });
  store.balanceCents = leftCents;
  return closed;
}

/** Interests, IVA, principal of the bill that is named, then of the debts in their order of dates. */
function pay(
  model: Model,
  store: ModelStore,
  money: { cents: number; from: string | null; bill: ModelOrder | undefined },
): { leftCents: number; closed: boolean } {
  let leftCents = money.cents;
  let closed = false;
  model.spendings += 1;
  const byDate = debtsOf(model, store).toSorted((a, b) => a.order.dueAt - b.order.dueAt);
  const named = byDate.filter(({ order }) => order === money.bill);
  for (const debt of new Set([...named, ...byDate])) {
    const parts = lackOf(debt).map((lack) => {
      const paid = Math.min(lack, leftCents);
      leftCents -= paid;
      return paid;
    }) as Triple;
    if (total(parts) === 0) continue;
    debt.paid.push({ from: money.from, spending: model.spendings, parts });
    if (total(lackOf(debt)) > 0 || !debt.inDefault) continue;
    debt.inDefault = false;
    closed = true;
  }
  return { leftCents, closed };
}

/** Who opens or ends a default says how it is now. */
function tellIf(model: Model, store: ModelStore, changed: boolean): void {
  if (!changed) return;
  store.overdueTold.push(debtsOf(model, store).some(({ inDefault }) => inDefault));
}

export function debtsOf(model: Model, store: ModelStore): ModelDebt[] {
  return model.debts.filter(({ order }) => order.store === store.id);
}
