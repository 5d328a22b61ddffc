import { provePhone } from './change-phone';
import { applyDeposit, creditDebt, openDebt } from './debts';
import { receiveDispute } from './disputes';
import { copyStore, found, type Model } from './model';
import { releaseLines } from './statements';

/** What the model reads of a message: what it is about, and nothing of what it carries. */
export interface ModelMessage {
  id: string;
  queue: string;
  type: string;
  version: number;
  /** Id of the wholesaler, store, order or deposit. */
  subject: string;
  /** Of a message about a credit note. */
  creditNoteId?: string | undefined;
  creditNoteIds?: string[] | undefined;
  /** Of a message about a phone. */
  phone?: string | undefined;
}

/** The effect of a message: once, in whatever order; of snapshots only the newest counts. */
export function receiveMessage(model: Model, message: ModelMessage): void {
  if (model.received.has(message.id)) return;
  model.received.add(message.id);
  const { type, version, subject } = message;
  switch (type) {
    case 'wholesaler.changed':
      copyWholesaler(found(model.wholesalers, subject), version);
      return;
    case 'corner-store.changed':
      copyStore(model, found(model.stores, subject), version);
      return;
    case 'phone.proved':
      provePhone(model, message.phone ?? '');
      return;
    case 'time-zone.changed':
      // Only of the hours of messages.
      return;
    case 'settlement-change.requested':
      // A second person would decide it, who takes no part.
      return;
    case 'credit-notes.settled':
      for (const id of message.creditNoteIds ?? []) model.settledNotes.add(id);
      return;
    case 'audit.recorded':
      return;
    case 'dispute.changed':
      receiveDispute(model, subject, version);
      return;
    case 'transaction.delivered':
      openDebt(model, subject);
      return;
    case 'transaction.credited':
      creditDebt(model, subject, message.creditNoteId ?? '');
      return;
    case 'apply-deposit':
      applyDeposit(model, depositOf(model, subject));
      return;
    case 'payment.applied':
    case 'payment.reversed':
    case 'receivable.credited':
      receivePayment(model, subject, version);
      return;
    case 'defaults.changed':
      receiveDefaults(model, message);
      return;
    default:
      throw new Error(`The model knows no message of type ${type}`);
  }
}

function copyWholesaler(published: { copied: number }, version: number): void {
  published.copied = Math.max(published.copied, version);
}

function depositOf(model: Model, id: string) {
  const deposit = [...model.deposits.values()].find((one) => one.id === id);
  if (deposit === undefined) throw new Error(`The model does not know deposit ${id}`);
  return deposit;
}

/** What is owed of an order's principal is what it uses of the credit line. */
function receivePayment(model: Model, orderId: string, version: number): void {
  const order = found(model.orders, orderId);
  const state = found(model.debts, orderId).versions[version - 1];
  if (state === undefined) throw new Error(`A debt has no version ${version}`);
  if (version <= order.payment.version) return;
  const { principalCents, totalCents } = state;
  found(model.stores, order.store).usedCents += principalCents - order.payment.owedCents;
  order.payment = { version, owedCents: principalCents, paid: totalCents === 0 };
  if (order.payment.paid) releaseLines(model, orderId);
}

function receiveDefaults(model: Model, { queue, version, subject }: ModelMessage): void {
  const store = found(model.stores, subject);
  const news = store.defaults[version - 1];
  if (news === undefined) throw new Error(`A store has no default news of version ${version}`);
  if (queue === 'accounts') {
    store.defaultsSeen.accounts = Math.max(store.defaultsSeen.accounts, version);
    return;
  }
  for (const [ids, value] of [
    [news.opened, true],
    [news.closed, false],
  ] as const) {
    for (const id of ids) {
      const order = found(model.orders, id);
      if (order.inDefault.version < version) order.inDefault = { version, value };
    }
  }
  store.defaultsSeen.transactions = Math.max(store.defaultsSeen.transactions, version);
}
