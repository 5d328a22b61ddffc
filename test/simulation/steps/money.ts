import { atOnce, type History } from '../history';
import { rowOf, type DepositRow } from '../house/house';
import {
  assignDeposit,
  detectDefaults,
  openReceivable,
  recordDeposit,
  reverseDeposit,
} from '../house/money';
import { expectAssignment, expectDebt, expectDetection, expectReversal } from '../model/debts';
import { orderOf } from '../model/hear';
import type { ModelDeposit } from '../model/model';
import { DAY_MS } from '../world';

/** References that nobody has; the house matches them without spaces and hyphens. */
const UNKNOWN = ['', '0000000000000', 'sin referencia'];

/** A payer pays by bill, by reference, or by a mistake; too little, all, or too much. */
export function deposit(history: History): void {
  const { random, house, model } = history;
  const receivables = [...house.payments.receivables.values()];
  const payers = [...house.payments.balances];
  // Before anything is owed, hardly anybody pays.
  if (receivables.length === 0 && random.chance(0.9)) return;
  const bill = receivables.length > 0 && random.chance(0.7) ? random.pick(receivables) : undefined;
  const payer = payers.length > 0 && random.chance(0.7) ? random.pick(payers) : undefined;
  const valorCents = drawValor(history, bill?.transactionId);
  const notice: Notice = {
    id: house.newId(),
    claveDePago: house.newId(),
    idFactura: bill === undefined ? random.pick(UNKNOWN) : typed(history, bill.idFactura),
    numeroReferencia:
      payer === undefined ? random.pick(UNKNOWN) : typed(history, payer[1].numeroReferencia),
    valorCents,
  };
  model.deposits.set(notice.id, {
    id: notice.id,
    valorCents,
    status: 'received',
    bill: bill && orderOf(model, bill.transactionId),
    payer: payer?.[0],
    store: undefined,
    surplusCents: 0,
  });
  const label = `deposit ${JSON.stringify(notice)}`;
  atOnce(history, label, recordDeposit(house, notice), 'acknowledged');
}

/** The provider says it again, at times with another amount: no money comes of it. */
export function repeatDeposit(history: History): void {
  const known = pickDeposit(history);
  if (known === undefined) return;
  const { random, house } = history;
  const differs = random.chance(0.3);
  const { claveDePago, idFactura, numeroReferencia, valorCents } = known;
  const again = { claveDePago, idFactura, numeroReferencia, id: house.newId() };
  const answer = recordDeposit(house, { ...again, valorCents: valorCents + Number(differs) });
  const expected = differs ? 'DEPOSIT_CONFLICT' : 'acknowledged';
  atOnce(history, `deposit ${known.id} again`, answer, expected);
}

export function assign(history: History): void {
  const known = pickDeposit(history, 'unmatched');
  if (known === undefined) return;
  const { random, house, model } = history;
  const store = random.pick([...house.accounts.stores.keys()]);
  const expected = expectAssignment(model, depositOf(history, known.id), store);
  const answer = assignDeposit(house, known.id, store);
  atOnce(history, `assign ${known.id} to ${store}`, answer, expected);
}

export function reverse(history: History): void {
  const known = pickDeposit(history, 'applied');
  if (known === undefined) return;
  reverseDeposit(history.house, known.id);
  expectReversal(history.model, depositOf(history, known.id));
  atOnce(history, `reverse ${known.id}`, undefined, undefined);
}

/** By the clock, or in a sandbox as of a later day. */
export function detect(history: History): void {
  const { random, house, model } = history;
  const asOf = model.now + random.pick([0, 0, 5, 40]) * DAY_MS;
  const opened = detectDefaults(house, new Date(asOf));
  atOnce(history, `detect as of ${asOf}`, opened, expectDetection(model, asOf));
}

/** Somebody asks how to pay before payments heard of the delivery. */
export function askForBill(history: History): void {
  const { random, house, model } = history;
  const waiting = house.outbox.filter(({ type }) => type === 'transaction.delivered');
  if (waiting.length === 0) return;
  const message = random.pick(waiting);
  if (message.type !== 'transaction.delivered') return;
  openReceivable(house, message.delivered);
  const { transactionId } = message.delivered;
  expectDebt(model, orderOf(model, transactionId));
  atOnce(history, `bill of ${transactionId}`, undefined, undefined);
}

type Notice = Omit<DepositRow, 'status' | 'cornerStoreId'>;

function drawValor({ random, house }: History, transactionId: string | undefined): number {
  if (transactionId === undefined) return random.between(1, 60_000);
  const { owed, paid } = rowOf(house.payments.receivables, transactionId);
  const lack =
    owed.interestCents +
    owed.ivaCents +
    owed.principalCents -
    (paid.interestCents + paid.ivaCents + paid.principalCents);
  const valor = random.pick([
    lack,
    lack,
    lack - 1,
    lack + 1,
    lack * 3,
    random.between(1, lack + 1),
  ]);
  return Math.max(1, valor);
}

/** As a clerk types it. */
function typed({ random }: History, reference: string): string {
  return random.chance(0.2) ? ` ${reference.slice(0, 4)}-${reference.slice(4)} ` : reference;
}

/** Mostly one of that status, at times any. */
function pickDeposit(
  { random, house }: History,
  status?: DepositRow['status'],
): DepositRow | undefined {
  const all = [...house.payments.deposits.values()].filter(
    (one) => status === undefined || one.status === status || random.chance(0.1),
  );
  return all.length === 0 ? undefined : random.pick(all);
}

function depositOf({ model }: History, id: string): ModelDeposit {
  const known = model.deposits.get(id);
  if (known === undefined) throw new Error(`The model has no deposit ${id}`);
  return known;
}
