import { CODE_LIFE_MS } from '@fiado/shared/verification/rules';
import { codeOf } from '@fiado/shared/verification/code';
import {
  decideBatch,
  storesWorthAsking,
  type BatchItem,
} from '../../../services/transactions/src/domain/batch';
import type { CreditTerms } from '../../../services/transactions/src/domain/credit-terms';
import { onHoldExpiry, unconfirmedExpiry } from '../../../services/transactions/src/domain/expiry';
import { paymentDueAt, priceOf } from '../../../services/transactions/src/domain/pricing';
import { isWorthAsking, refusalsOf } from '../../../services/transactions/src/domain/refusal';
import { IVA_RATE, TIME_ZONE } from '../world';
import { rowOf, type House, type Operation, type OrderRow } from './house';
import { holdCredit, insertHeld, liveOrders, recordCornerStore } from './sql-rules';

export interface OrderCommand {
  wholesalerId: string;
  cornerStoreId: string;
  amountCents: number;
  wholesalerTransactionId: string | undefined;
  deliveryDate: Date | undefined;
  /** As a link, its code goes out when its page is opened. */
  linked: boolean;
}

export type Outcome = { transactionId: string } | { refusal: string };

/** Stands for CODE_PEPPER. */
export const PEPPER = 'pepper-of-the-simulation';

/** use-cases/create-transaction.ts, for e7 and e6. */
export function* createOrder(house: House, command: OrderCommand): Operation<Outcome> {
  const first = yield* tryToCreate(house, command);
  if ('transactionId' in first) return first;
  if (first.refusal === 'DUPLICATED_TRANSACTION' || !isAskable(first.refusal)) return first;

  yield;
  if (house.accounts.away) {
    if (first.refusal === 'CORNER_STORE_NOT_FOUND') return { refusal: 'SERVICE_UNAVAILABLE' };
  } else askAccounts(house, command.wholesalerId, [command.cornerStoreId]);
  yield;
  return yield* tryToCreate(house, command);
}

function* tryToCreate(house: House, command: OrderCommand): Operation<Outcome> {
  const terms = termsOf(house, command.wholesalerId, command.cornerStoreId);
  const [refusal] = refusalsOf(terms, command);
  if (terms === undefined || refusal !== undefined) {
    return { refusal: refusal ?? 'CORNER_STORE_NOT_FOUND' };
  }
  const order = newOrder(house, command, terms, { confirm: terms.confirmationRequired });
  yield;
  const held = holdCredit(house, order);
  if (held === 'duplicate') return { refusal: 'DUPLICATED_TRANSACTION' };
  if (held === 'not-held') return { refusal: 'CREDIT_LIMIT_EXCEEDED' };
  if (order.verification?.sends === 1) sendCode(house, order);
  return { transactionId: order.id };
}

/** use-cases/create-batch.ts. */
export function* createBatch(
  house: House,
  wholesalerId: string,
  items: BatchItem[],
): Operation<Array<Outcome | { refusals: string[] }> | { refusal: string }> {
  const before = decideBatch(items, {
    terms: allTerms(house, wholesalerId),
    liveOrders: new Set(),
    now: house.now,
  });
  const doubtful = storesWorthAsking(before);
  if (doubtful.length > 0) {
    yield;
    const known = allTerms(house, wholesalerId);
    if (!house.accounts.away) askAccounts(house, wholesalerId, doubtful);
    else if (doubtful.some((id) => !known.has(id))) return { refusal: 'SERVICE_UNAVAILABLE' };
  }
  yield;
  const facts = {
    terms: allTerms(house, wholesalerId),
    liveOrders: liveOrders(house, wholesalerId),
    now: house.now,
  };
  return decideBatch(items, facts).map(({ item, terms, reasons }) => {
    if (terms === undefined || reasons.length > 0) return { refusals: reasons };
    const command = { ...item, wholesalerId, linked: false };
    const order = newOrder(house, command, terms, { confirm: false });
    order.verification = undefined;
    insertHeld(house, order);
    return { transactionId: order.id };
  });
}

/** use-cases/refresh-credit-terms.ts: accounts tells of the wholesaler's customers only. */
export function askAccounts(house: House, wholesalerId: string, cornerStoreIds: string[]): void {
  for (const id of cornerStoreIds) {
    if (!house.customers.has(`${wholesalerId}/${id}`)) continue;
    recordCornerStore(house, id, rowOf(house.accounts.stores, id));
  }
}

/** The code that a verification stands for goes to the store's phone. */
export function sendCode(house: House, { id: transactionId, verification }: OrderRow): void {
  if (verification === undefined) throw new Error('An order without verification has no code');
  const code = codeOf(PEPPER, verification.id, verification.salt);
  house.transactions.codes.push({ transactionId, code });
}

export function newSalt(house: House): Buffer {
  return Buffer.from(Array.from({ length: 16 }, () => house.random.below(256)));
}

function isAskable(refusal: string): boolean {
  return isWorthAsking(refusal as Parameters<typeof isWorthAsking>[0]);
}

function allTerms(house: House, wholesalerId: string): Map<string, CreditTerms> {
  const ids = [...house.transactions.lines.keys()];
  return new Map(
    ids.flatMap((id) => {
      const terms = termsOf(house, wholesalerId, id);
      return terms === undefined ? [] : [[id, terms]];
    }),
  );
}

function termsOf(house: House, wholesalerId: string, id: string): CreditTerms | undefined {
  const line = house.transactions.lines.get(id);
  if (line === undefined || !house.customers.has(`${wholesalerId}/${id}`)) return undefined;
  const settings = rowOf(house.settings, wholesalerId);
  return {
    ...settings,
    ...line,
    now: house.now,
    cornerStoreId: id,
    userId: id,
    phoneSealed: Buffer.alloc(0),
    externalId: id,
    wholesalerName: wholesalerId,
    minimumTransactionCents: settings.minimumCents,
    deliveryWordEnabled: false,
  };
}

/** priceOrder of create-transaction.ts and acceptedRow of create-batch.ts. */
function newOrder(
  house: House,
  command: OrderCommand,
  terms: CreditTerms,
  { confirm }: { confirm: boolean },
): OrderRow {
  const { now } = house;
  const { interestRate, commissionRate } = terms;
  const sendNow = confirm && !command.linked;
  const rates = { interestRate, commissionRate, ivaRate: IVA_RATE };
  return {
    ...command,
    ...rates,
    ...priceOf(command.amountCents, rates),
    id: house.newId(),
    status: confirm ? 'pending-verification' : 'on-hold',
    version: 1,
    createdAt: now,
    expiresAt: confirm ? unconfirmedExpiry(now) : onHoldExpiry(now, command.deliveryDate),
    paymentDueAt: paymentDueAt(command.deliveryDate ?? now, terms.paymentTermDays, TIME_ZONE),
    deliveredAt: undefined,
    paid: false,
    owedCents: 0,
    receivableVersion: 0,
    inDefault: false,
    defaultVersion: 0,
    verification: {
      id: house.newId(),
      salt: newSalt(house),
      status: confirm ? 'pending' : 'approved',
      checks: 0,
      sends: sendNow ? 1 : 0,
      expiresAt: sendNow ? new Date(now.getTime() + CODE_LIFE_MS) : now,
    },
  };
}
