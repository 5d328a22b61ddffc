import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { CreditTerms } from '../orders/refusal.rules';
import { HELD_CENTS } from './phone-hold.sql';

/** The columns of CreditTerms, of rows `line`, `customer` and `wholesaler`. */
export const CREDIT_TERMS = `now(), line.corner_store_id, line.user_id, line.status,
  line.overdue, line.limit_cents, line.used_cents, line.interest_rate, line.phone_sealed,
  customer.external_id, wholesaler.name AS "wholesalerName", wholesaler.minimum_transaction_cents,
  wholesaler.commission_rate, wholesaler.payment_term_days, wholesaler.delivery_overage_rate,
  line.time_zone, wholesaler.delivery_word_enabled,
  wholesaler.confirmation_required, wholesaler.batch_enabled, customer.phone_changes,
  customer.phone_held_until, ${HELD_CENTS} AS "heldCents"`;

interface TermsRow extends CreditTerms {
  incrementalId: number;
}

/**
 * The terms of one order and the number it will carry: everything that createTransaction reads, in
 * one round trip. A number is drawn for a refused order too; gaps are allowed.
 */
export async function findCreditTerms(
  db: Db,
  wholesalerId: string,
  cornerStoreId: string,
): Promise<TermsRow | undefined> {
  const [row] = await queryNamed<TermsRow>(
    db,
    'find-credit-terms',
    `SELECT ${CREDIT_TERMS}, nextval('incremental_ids') AS "incrementalId"
       FROM customers customer
       JOIN credit_lines line USING (corner_store_id)
       JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE customer.wholesaler_id = $1 AND customer.corner_store_id = $2`,
    [wholesalerId, cornerStoreId],
  );
  return row;
}

const LOCK_TERMS = `
  SELECT ${CREDIT_TERMS}
    FROM credit_lines line
    JOIN customers customer USING (corner_store_id)
    JOIN wholesalers wholesaler USING (wholesaler_id)
   WHERE customer.wholesaler_id = $1 AND line.corner_store_id = ANY($2::uuid[])
   ORDER BY line.corner_store_id
     FOR UPDATE OF line`;

/**
 * The terms of many corner stores of one wholesaler, by corner store id, with their lines locked in
 * the order of their ids: so that two batches cannot deadlock.
 */
export async function lockBatchTerms(
  tx: Db,
  wholesalerId: string,
  cornerStoreIds: string[],
): Promise<Map<string, CreditTerms>> {
  const values = [wholesalerId, cornerStoreIds];
  const rows = await queryNamed<CreditTerms>(tx, 'lock-batch-terms', LOCK_TERMS, values);
  return new Map(rows.map((row) => [row.cornerStoreId, row]));
}
