import {
  allocate,
  minus,
  sumOf,
  type Parts,
} from '../../../services/payments/src/domain/allocation';
import type { Payment } from '../../../services/payments/src/domain/reversal';
import { rowOf, say, type House, type ReceivableRow } from './house';

export const NOTHING: Parts = { interestCents: 0, ivaCents: 0, principalCents: 0 };

/** Whose money pays, and whose debt. */
export interface Source {
  cornerStoreId: string;
  /** Null for money of the credit balance. */
  depositId: string | null;
  /** The receivable that the deposit names. */
  receivableId: string | null;
}

/** use-cases/spend-credit-balance.ts. */
export function spendBalance(house: House, cornerStoreId: string): string[] {
  const { balanceCents } = rowOf(house.payments.balances, cornerStoreId);
  const source = { cornerStoreId, depositId: null, receivableId: null };
  const { leftCents, closed } = payReceivables(house, balanceCents, source);
  moveBalance(house, cornerStoreId, null, leftCents - balanceCents);
  return closed;
}

/** use-cases/pay-receivables.ts and db/write-payments.ts. */
export function payReceivables(
  house: House,
  amountCents: number,
  { cornerStoreId, depositId, receivableId }: Source,
): { leftCents: number; closed: string[] } {
  const open = receivablesOf(house, cornerStoreId)
    .filter(({ paidAt }) => paidAt === undefined)
    .map((row) => ({ ...minus(row.owed, row.paid), id: row.id, dueAt: row.dueAt, row }));
  const { allocations, leftCents } = allocate(amountCents, open, receivableId);
  const closed: string[] = [];
  for (const { receivable, paid } of allocations) {
    const { row } = receivable;
    const allocationId = house.newId();
    enter(house, row, { allocationId, depositId }, minus(NOTHING, paid));
    const outstanding = minus(row.owed, row.paid);
    const outstandingCents = sumOf(outstanding);
    const outstandingPrincipalCents = outstanding.principalCents;
    row.paidAt = outstandingCents === 0 ? house.now : undefined;
    if (row.paidAt !== undefined && row.inDefault) {
      row.inDefault = false;
      closed.push(row.transactionId);
    }
    const payment = { ...eventOf(row, allocationId), principalCents: paid.principalCents };
    const appliedAt = house.now.toISOString();
    const { version } = row;
    say(house, {
      type: 'payment.applied',
      version,
      payment: { ...payment, outstandingCents, outstandingPrincipalCents, appliedAt },
    });
  }
  return { leftCents, closed };
}

/** use-cases/take-back-payments.ts and db/reversals.repository.ts, writeReversals. */
export function takeBack(house: House, payment: Payment, depositId: string | null): void {
  const { allocationId, receivableId, principalCents, interestCents, ivaCents } = payment;
  const row = [...house.payments.receivables.values()].find(({ id }) => id === receivableId);
  if (row === undefined) throw new Error('A payment is of a receivable');
  enter(house, row, { allocationId, depositId }, { principalCents, interestCents, ivaCents });
  row.paidAt = undefined;
  say(house, {
    type: 'payment.reversed',
    version: row.version,
    reversal: {
      ...eventOf(row, allocationId),
      principalCents,
      outstandingCents: sumOf(minus(row.owed, row.paid)),
      outstandingPrincipalCents: minus(row.owed, row.paid).principalCents,
      reversedAt: house.now.toISOString(),
    },
  });
}

/** db/reversals.repository.ts, paymentsOf: newest first, without what was taken back already. */
export function paymentsOf(
  house: House,
  cornerStoreId: string,
  depositId: string | null,
): Payment[] {
  const ids = new Set(receivablesOf(house, cornerStoreId).map(({ id }) => id));
  const payments = new Map<string, Payment & { at: number }>();
  for (const entry of house.payments.ledger) {
    const { allocationId, receivableId } = entry;
    if (allocationId === undefined || entry.depositId !== depositId) continue;
    if (!ids.has(receivableId)) continue;
    const known = payments.get(allocationId) ?? { ...NOTHING, at: entry.at };
    const parts = minus(known, entry.parts);
    payments.set(allocationId, { allocationId, receivableId, ...parts, at: known.at });
  }
  return [...payments.values()]
    .filter((payment) => sumOf(payment) !== 0)
    .toSorted((a, b) => b.at - a.at || (a.allocationId < b.allocationId ? -1 : 1));
}

/** db/credit-balances.repository.ts, moveCreditBalance, which nobody calls with nothing. */
export function moveBalance(
  house: House,
  cornerStoreId: string,
  depositId: string | null,
  cents: number,
): void {
  if (cents === 0) return;
  const row = rowOf(house.payments.balances, cornerStoreId);
  if (row.balanceCents + cents < 0) throw new RangeError('balance_cents >= 0');
  row.balanceCents += cents;
  house.payments.balanceEntries.push({ cornerStoreId, depositId, cents });
}

/** use-cases/tell-defaults-changed.ts. */
export function tellDefaults(
  house: House,
  cornerStoreId: string,
  { opened, closed }: Record<'opened' | 'closed', string[]>,
): void {
  if (opened.length + closed.length === 0) return;
  const version = (house.payments.overdueVersions.get(cornerStoreId) ?? 0) + 1;
  house.payments.overdueVersions.set(cornerStoreId, version);
  const overdue = receivablesOf(house, cornerStoreId).filter(({ inDefault }) => inDefault);
  const oldest = overdue.map(({ dueAt }) => dueAt.toISOString()).toSorted()[0] ?? null;
  say(house, {
    type: 'defaults.changed',
    version,
    news: {
      cornerStoreId,
      overdueCount: overdue.length,
      oldestDueAt: oldest,
      opened,
      closed,
    },
  });
}

/** A row of the receivable's ledger, which makes its next version: negative when it is paid. */
function enter(
  house: House,
  row: ReceivableRow,
  { allocationId, depositId }: { allocationId: string; depositId: string | null },
  parts: Parts,
): void {
  row.version += 1;
  row.paid = minus(row.paid, parts);
  const { ledger } = house.payments;
  const at = house.now.getTime();
  ledger.push({ receivableId: row.id, allocationId, depositId, parts, at });
  for (const part of ['interestCents', 'ivaCents', 'principalCents'] as const) {
    if (row.paid[part] < 0 || row.paid[part] > row.owed[part]) throw new RangeError(`paid ${part}`);
  }
}

function eventOf({ transactionId, cornerStoreId }: ReceivableRow, paymentId: string) {
  return { paymentId, transactionId, cornerStoreId };
}

function receivablesOf(house: House, cornerStoreId: string): ReceivableRow[] {
  return [...house.payments.receivables.values()].filter(
    (row) => row.cornerStoreId === cornerStoreId,
  );
}
