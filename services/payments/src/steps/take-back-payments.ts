import type { Transaction } from '@fiado/chassis/db/database';
import { outboxRows, type OutboxRow } from '@fiado/chassis/outbox/append';
import { paymentReversed } from '@fiado/contracts/jobs/payment-reversed';
import type { Context } from '../context';
import { writeReversals, type PaidReceivable, type ReversalRow } from '../db/reversals.repository';
import { plus, sumOf, type Parts } from '../domain/allocation';
import type { Payment } from '../domain/reversal';

/** Reverses payments of locked receivables and publishes each reversal (`payment.reversed`). */
export async function takeBackPayments(
  context: Context,
  tx: Transaction,
  receivables: PaidReceivable[],
  takenBack: Payment[],
): Promise<void> {
  if (takenBack.length === 0) return;
  const reversedAt = context.clock.now().toISOString();
  const rows: ReversalRow[] = [];
  const events: OutboxRow[] = [];

  for (const { id, transactionId, cornerStoreId, ...receivable } of receivables) {
    let { version } = receivable;
    let outstanding: Parts = receivable;
    for (const payment of takenBack.filter(({ receivableId }) => receivableId === id)) {
      version += 1;
      outstanding = plus(outstanding, payment);
      const { allocationId, principalCents, interestCents, ivaCents } = payment;
      rows.push({
        allocation_id: allocationId,
        receivable_id: id,
        version,
        principal_cents: principalCents,
        interest_cents: interestCents,
        iva_cents: ivaCents,
      });
      events.push(
        ...outboxRows(
          paymentReversed,
          { id, version },
          {
            paymentId: allocationId,
            transactionId,
            cornerStoreId,
            principalCents,
            outstandingCents: sumOf(outstanding),
            outstandingPrincipalCents: outstanding.principalCents,
            reversedAt,
          },
        ),
      );
    }
  }
  await writeReversals(tx, rows, events);
}
