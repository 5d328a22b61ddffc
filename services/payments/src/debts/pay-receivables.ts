import type { Transaction } from '@fiado/chassis/db/database';
import { type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { paymentApplied } from '@fiado/contracts/jobs/debts';
import { newId } from '@fiado/contracts/new-id';
import { type CreditBalance, moveCreditBalance } from '../payouts/credit-balance';
import { useHeld } from '../payouts/held-credits';
import type { BalancePayment } from '../payouts/held-money.rules';
import { findOpenRecoveries, type OpenRecovery, payRecoveries } from '../payouts/recoveries.sql';
import { allocate, type Allocation, minus, sumOf } from './allocation.rules';
import {
  type LockedReceivable,
  lockOpenReceivables,
  type PaymentRow,
  type PaymentSource,
  writePayments,
} from './ledger.sql';

/**
 * Pays the debts of a user, recoveries among them, and publishes each payment of a receivable
 * (`payment.applied`). The caller holds the lock of the user's credit balance.
 * @returns the remaining cents, the orders whose default this closed (the caller publishes them at the
 *   end), and what was paid, in the order of payment
 */
export async function payReceivables(
  tx: Transaction,
  money: {
    userId: string;
    amountCents: number;
    source: PaymentSource;
    /** The receivable that the deposit names: paid before the oldest due. */
    receivableId: string | null;
  },
): Promise<{ leftCents: number; closed: string[]; paid: BalancePayment[] }> {
  const { userId, amountCents, source, receivableId } = money;
  const receivables = await lockOpenReceivables(tx, userId);
  const recoveries = await findOpenRecoveries(tx, userId);
  const owed: Array<LockedReceivable | OpenRecovery> = [...receivables, ...recoveries];
  const spread = allocate(amountCents, owed, receivableId);
  const { leftCents } = spread;
  await payRecoveries(
    tx,
    source?.id ?? null,
    spread.allocations
      .filter((allocation) => !paysReceivable(allocation))
      .map(({ receivable: { id }, paid }) => ({ id, cents: sumOf(paid) })),
  );
  const allocations = spread.allocations.filter(paysReceivable);
  const payments = allocations.map(paymentOf);
  const allocationIds = new Map(payments.map(({ row }) => [row.receivableId, row.id]));
  const paid = spread.allocations.map((allocation) => ({
    allocationId: allocationIds.get(allocation.receivable.id) ?? null,
    cents: sumOf(allocation.paid),
  }));
  if (allocations.length === 0) return { leftCents, closed: [], paid };

  await writePayments(tx, {
    source,
    rows: payments.map(({ row }) => row),
    events: payments.flatMap(({ events }) => events),
  });
  const closed = allocations.filter(
    ({ receivable, paid: parts }) => receivable.inDefault && sumOf(minus(receivable, parts)) === 0,
  );
  return { leftCents, closed: closed.map(({ receivable }) => receivable.transactionId), paid };
}

function paysReceivable(
  allocation: Allocation<LockedReceivable | OpenRecovery>,
): allocation is Allocation<LockedReceivable> {
  return 'transactionId' in allocation.receivable;
}

function paymentOf({ receivable, paid }: Allocation<LockedReceivable>): {
  row: PaymentRow;
  events: OutboxRow[];
} {
  const { id: receivableId, transactionId, cornerStoreId } = receivable;
  const id = newId();
  const version = receivable.version + 1;
  const outstanding = minus(receivable, paid);
  const outstandingCents = sumOf(outstanding);

  return {
    row: {
      id,
      receivableId,
      version,
      principalCents: paid.principalCents,
      interestCents: paid.interestCents,
      ivaCents: paid.ivaCents,
      isPaid: outstandingCents === 0,
    },
    events: outboxRows(
      paymentApplied,
      { id: receivableId, version },
      {
        paymentId: id,
        transactionId,
        cornerStoreId,
        principalCents: paid.principalCents,
        outstandingCents,
        outstandingPrincipalCents: outstanding.principalCents,
        appliedAt: receivable.lockedAt.toISOString(),
      },
    ),
  };
}

/**
 * Uses a locked credit balance for what its user owes, oldest due first.
 * @param receivableId one that is paid before the others
 * @returns transactions whose default this closed: they fell due while the money was reserved
 */
export async function spendCreditBalance(
  tx: Transaction,
  { userId, balanceCents }: CreditBalance,
  receivableId: string | null = null,
): Promise<string[]> {
  if (balanceCents === 0) return [];
  const { leftCents, closed, paid } = await payReceivables(tx, {
    userId,
    amountCents: balanceCents,
    source: null,
    receivableId,
  });

  if (leftCents < balanceCents) {
    await useHeld(tx, userId, paid);
    await moveCreditBalance(tx, userId, { cause: 'spent', cents: leftCents - balanceCents });
  }
  return closed;
}
