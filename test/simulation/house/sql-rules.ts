/**
 * The rules of production that stand in SQL statements and not in pure functions, once more in
 * TypeScript. Each names the statement that it stands for; when that changes, this has to follow.
 */
import { CODE_LIFE_MS, MAX_CHECKS, MAX_SENDS, repeatsCode } from '@fiado/shared/verification/rules';
import type { TransactionStatus } from '../../../services/transactions/src/domain/transaction-status';
import type { CreditEntry, House, LineRow, OrderRow, ReceivableRow, StoreRow } from './house';
import { rowOf } from './house';

const GIVEN_UP: TransactionStatus[] = ['cancelled', 'expired'];

/** transactions, create-transaction-with-hold.ts: the guard and the hold are one. */
export function holdCredit(house: House, order: OrderRow): 'held' | 'not-held' | 'duplicate' {
  const line = rowOf(house.transactions.lines, order.cornerStoreId);
  const carries =
    line.status === 'approved' &&
    !line.overdue &&
    line.usedCents + order.amountCents <= line.limitCents &&
    line.interestRate === order.interestRate;
  if (!carries) return 'not-held';
  if (liveOrders(house, order.wholesalerId).has(order.wholesalerTransactionId ?? '')) {
    return 'duplicate';
  }
  insertHeld(house, order);
  return 'held';
}

/** transactions, batch.repository.ts, INSERT_BATCH, and the tail of the statement above. */
export function insertHeld(house: House, order: OrderRow): void {
  const { id: transactionId, cornerStoreId, amountCents } = order;
  house.transactions.orders.set(transactionId, order);
  const fits = { withinLimit: false };
  changeUsedCredit(house, { cornerStoreId, transactionId, kind: 'hold', amountCents }, fits);
}

/** transactions, batch.repository.ts, findLiveOrders, and the index transactions_live_order. */
export function liveOrders(house: House, wholesalerId: string): Set<string> {
  const live = [...house.transactions.orders.values()].filter(
    (order) => order.wholesalerId === wholesalerId && !GIVEN_UP.includes(order.status),
  );
  return new Set(live.flatMap((order) => order.wholesalerTransactionId ?? []));
}

/**
 * transactions, transactions.repository.ts, changeUsedCredit.
 * @returns false when a growth does not fit under the limit
 * @throws Error where the table's CHECK (used_cents >= 0) would end the database transaction
 */
export function changeUsedCredit(
  { transactions }: House,
  entry: CreditEntry,
  { withinLimit }: { withinLimit: boolean },
): boolean {
  const line = rowOf(transactions.lines, entry.cornerStoreId);
  const used = line.usedCents + entry.amountCents;
  if (withinLimit && entry.amountCents > 0 && used > line.limitCents) return false;
  if (used < 0) throw new Error('used_cents >= 0');
  line.usedCents = used;
  transactions.entries.push(entry);
  return true;
}

/** transactions, release-transaction.ts. */
export function releaseOrder(
  house: House,
  order: OrderRow,
  from: TransactionStatus[],
  to: 'cancelled' | 'expired',
): boolean {
  if (!from.includes(order.status)) return false;
  const { id: transactionId, cornerStoreId } = order;
  const amountCents = -order.amountCents;
  const entry: CreditEntry = { cornerStoreId, transactionId, kind: 'release', amountCents };
  // First, because it may fail, and what follows has no rollback here.
  changeUsedCredit(house, entry, { withinLimit: false });
  order.status = to;
  if (order.verification?.status === 'pending') order.verification.status = 'cancelled';
  return true;
}

/** transactions, receivable-news.repository.ts, SETTLED_STATUS. */
function settleStatus(order: OrderRow): void {
  if (!['delivery', 'in-payment-default', 'paid'].includes(order.status)) return;
  if (order.paid) order.status = 'paid';
  else order.status = order.inDefault ? 'in-payment-default' : 'delivery';
}

/**
 * transactions, receivable-news.repository.ts, recordReceivable.
 * @returns by how much the principal that is owed changed
 */
export function recordReceivable(
  order: OrderRow,
  { version, paid, owedCents }: { version: number; paid: boolean; owedCents: number },
): number {
  const before = order.owedCents;
  if (version > order.receivableVersion) Object.assign(order, { paid, owedCents });
  order.receivableVersion = Math.max(order.receivableVersion, version);
  settleStatus(order);
  return order.owedCents - before;
}

/** transactions, receivable-news.repository.ts, recordDefaults. */
export function recordDefault(order: OrderRow, version: number, inDefault: boolean): void {
  if (version <= order.defaultVersion) return;
  order.defaultVersion = version;
  order.inDefault = inDefault;
  settleStatus(order);
}

/** transactions, receivable-news.repository.ts, recordOverdue. */
export function recordOverdue(line: LineRow | undefined, version: number, overdue: boolean): void {
  if (line === undefined || version <= line.overdueVersion) return;
  line.overdueVersion = version;
  line.overdue = overdue;
}

/** transactions, credit-terms.repository.ts, recordCornerStore. */
export function recordCornerStore(house: House, id: string, news: StoreRow): void {
  const { lines } = house.transactions;
  const line = lines.get(id);
  if (line === undefined) {
    lines.set(id, { ...news, usedCents: 0, overdue: false, overdueVersion: 0 });
  } else if (line.version < news.version) Object.assign(line, news);
}

/** shared, verifications.ts, checkCode: counted before it is compared. */
export function countCheck(house: House, order: OrderRow): Buffer | undefined {
  const row = order.verification;
  if (row === undefined) return undefined;
  const alive = row.status === 'pending' && row.checks < MAX_CHECKS && row.expiresAt > house.now;
  if (!alive) return undefined;
  row.checks += 1;
  return row.salt;
}

/** shared, verifications.ts, approve. */
export function approveVerification(house: House, order: OrderRow, salt: Buffer): boolean {
  const row = order.verification;
  const approvable =
    row !== undefined &&
    row.status === 'pending' &&
    row.salt.equals(salt) &&
    row.expiresAt > house.now;
  if (approvable) row.status = 'approved';
  return approvable;
}

/** shared, verifications.ts, resend. */
export function resendVerification(
  house: House,
  order: OrderRow,
  newSalt: () => Buffer,
): 'sent' | 'TOO_MANY_ATTEMPTS' {
  const row = order.verification;
  if (row?.status !== 'pending') throw new Error('Only a pending verification is sent again');
  if (row.sends >= MAX_SENDS) return 'TOO_MANY_ATTEMPTS';
  if (!repeatsCode(row, house.now)) {
    row.salt = newSalt();
    row.expiresAt = new Date(house.now.getTime() + CODE_LIFE_MS);
    row.checks = 0;
  }
  row.sends += 1;
  return 'sent';
}

/** payments, defaults.repository.ts, openDefaults: what is past due, unpaid and in no default. */
export function openDefaults(house: House, asOf: Date, cornerStoreId?: string): ReceivableRow[] {
  const due = [...house.payments.receivables.values()].filter(
    (row) =>
      row.paidAt === undefined &&
      !row.inDefault &&
      row.dueAt < asOf &&
      (cornerStoreId === undefined || row.cornerStoreId === cornerStoreId),
  );
  for (const row of due) row.inDefault = true;
  return due;
}
