import type { Db } from '@fiado/chassis/db/database';
import { inAskedOrder, queryNamed } from '@fiado/chassis/db/query';
import type { CreditTerms } from '../orders/refusal.rules';
import { HELD_CENTS } from './phone-hold.sql';

/** The columns of CreditTerms, of rows `line`, `customer` and `wholesaler`. */
export const CREDIT_TERMS = `now(), line.corner_store_id, line.user_id, line.status,
  line.overdue, line.limit_cents, line.used_cents, line.interest_rate, line.phone_sealed, line.phone_unproven_by,
  customer.external_id, wholesaler.name AS "wholesalerName", wholesaler.minimum_transaction_cents,
  wholesaler.commission_rate, wholesaler.payment_term_days, wholesaler.delivery_overage_rate,
  line.time_zone, wholesaler.delivery_word_enabled,
  wholesaler.confirmation_required, wholesaler.batch_enabled, customer.phone_changes,
  customer.phone_held_until, ${HELD_CENTS} AS "heldCents"`;

/** Terms, and the number that an order on them will carry. */
export interface TermsOfOrder extends CreditTerms {
  incrementalId: number;
}

/** Which terms: a wholesaler's with one of its corner stores. */
export interface CustomerKey {
  wholesalerId: string;
  cornerStoreId: string;
}

/**
 * The terms of many orders and the numbers that they will carry: everything that createTransaction
 * reads, in one round trip. A number is drawn for a refused order too; gaps are allowed.
 * @returns the terms of each key, in their order; undefined where the wholesaler has no such customer
 */
export async function findCreditTerms(
  db: Db,
  keys: CustomerKey[],
): Promise<Array<TermsOfOrder | undefined>> {
  const rows = await queryNamed<TermsOfOrder & { at: number }>(
    db,
    'find-credit-terms',
    `SELECT asked.at, terms.*, nextval('incremental_ids') AS "incrementalId"
       -- SELECT: a plan for the length of these arrays would be made at each call.
       FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]))
              WITH ORDINALITY AS asked(wholesaler_id, corner_store_id, at),
            -- OFFSET 0: each key is looked up by itself, where a join would read whole tables.
            LATERAL (SELECT ${CREDIT_TERMS}
                       FROM customers customer
                       JOIN credit_lines line USING (corner_store_id)
                       JOIN wholesalers wholesaler USING (wholesaler_id)
                      WHERE customer.wholesaler_id = asked.wholesaler_id
                        AND customer.corner_store_id = asked.corner_store_id
                     OFFSET 0) terms`,
    [keys.map(({ wholesalerId }) => wholesalerId), keys.map(({ cornerStoreId }) => cornerStoreId)],
  );
  return inAskedOrder(keys, rows);
}

/** A wholesaler and its own name for one of its customers. */
export interface CustomerName {
  wholesalerId: string;
  externalId: string;
}

/** The corner stores of these customers, in their order; undefined for a name that is not known here. */
export async function findCornerStoreIds(
  db: Db,
  names: CustomerName[],
): Promise<Array<string | undefined>> {
  const rows = await queryNamed<{ at: number; id: string }>(
    db,
    'find-corner-store-ids',
    `SELECT asked.at, customer.id
       FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS asked(wholesaler_id, external_id, at),
            LATERAL (SELECT corner_store_id AS id FROM customers
                      WHERE wholesaler_id = asked.wholesaler_id AND external_id = asked.external_id
                     OFFSET 0) customer`,
    [names.map(({ wholesalerId }) => wholesalerId), names.map(({ externalId }) => externalId)],
  );
  return inAskedOrder(names, rows).map((customer) => customer?.id);
}

const LOCK_TERMS = `
  SELECT ${CREDIT_TERMS}
    FROM credit_lines line
    JOIN customers customer USING (corner_store_id)
    JOIN wholesalers wholesaler USING (wholesaler_id)
   WHERE customer.wholesaler_id = $1 AND line.corner_store_id = ANY($2::uuid[])
   ORDER BY line.corner_store_id
     FOR NO KEY UPDATE OF line`;

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
