import type { Db } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import { query } from '@fiado/chassis/db/query';
import type { Price } from '../domain/pricing';
import type { TransactionWithTerms } from './transactions.repository';

export interface DeliveryRecord {
  amountCents: number;
  price: Price;
  due: { paymentDueOn: string; paymentDueAt: Date; paymentTimeZone: string };
  locationSealed: Buffer | null;
}

/** Writes the final amount on a locked transaction and replaces its commission row. */
export async function recordDelivery(
  tx: Db,
  transaction: TransactionWithTerms,
  { amountCents, price, due, locationSealed }: DeliveryRecord,
): Promise<void> {
  await query(
    tx,
    `UPDATE transactions
        SET status = 'delivery', version = version + 1, amount_cents = $2, owed_cents = $2, interest_cents = $3,
            iva_cents = $4, payment_due_at = $5, delivered_at = now(), location_sealed = $6,
            payment_due_on = $7, payment_time_zone = $8
      WHERE id = $1`,
    [
      transaction.id,
      amountCents,
      price.interestCents,
      price.ivaCents,
      due.paymentDueAt,
      locationSealed,
      due.paymentDueOn,
      due.paymentTimeZone,
    ],
  );
  // Two statements, one after the other: the live row must be void before its successor is written.
  await query(
    tx,
    'UPDATE commissions SET voided_at = now() WHERE transaction_id = $1 AND voided_at IS NULL',
    [transaction.id],
  );
  await insertRow(tx, 'commissions', {
    transactionId: transaction.id,
    rate: transaction.commissionRate,
    amountCents: price.commissionCents,
  });
}
