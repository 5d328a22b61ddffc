import type { Message } from '../house/house';
import { expectDebt, expectDepositApplied } from './debts';
import { storeOf, type Model, type ModelOrder } from './model';

/**
 * What a message brings about: once, whatever its order; snapshots, counts and what is owed only when
 * they are the newest.
 */
export function expectNews(model: Model, message: Message): void {
  if (model.heard.has(message.id)) return;
  model.heard.add(message.id);
  takeIn(model, message);
}

function takeIn(model: Model, message: Message): void {
  switch (message.type) {
    case 'corner-store.changed': {
      const store = storeOf(model, message.cornerStoreId);
      store.heard = Math.max(store.heard, message.version);
      return;
    }
    case 'transaction.delivered':
      expectDebt(model, orderOf(model, message.delivered.transactionId));
      return;
    case 'apply-deposit': {
      const deposit = model.deposits.get(message.depositId);
      if (deposit !== undefined) expectDepositApplied(model, deposit);
      return;
    }
    case 'payment.applied':
      expectOwed(model, message.version, message.payment);
      return;
    case 'payment.reversed':
      expectOwed(model, message.version, message.reversal);
      return;
    case 'defaults.changed': {
      const store = storeOf(model, message.news.cornerStoreId);
      store.overdueHeard = Math.max(store.overdueHeard, message.version);
      return;
    }
  }
}

/** What of the principal is owed is what the order uses, as the newest news has it. */
function expectOwed(
  model: Model,
  version: number,
  { transactionId, outstandingPrincipalCents }: Owed,
): void {
  const order = orderOf(model, transactionId);
  if (version <= (order.owedVersion ?? 0)) return;
  storeOf(model, order.store).usedCents += outstandingPrincipalCents - (order.owedCents ?? 0);
  Object.assign(order, { owedCents: outstandingPrincipalCents, owedVersion: version });
}

interface Owed {
  transactionId: string;
  outstandingPrincipalCents: number;
}

export function orderOf(model: Model, id: string): ModelOrder {
  const order = model.orders.find((one) => one.id === id);
  if (order === undefined) throw new Error(`The model has no order ${id}`);
  return order;
}
