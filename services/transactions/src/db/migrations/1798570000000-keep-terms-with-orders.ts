import type { QueryRunner } from 'typeorm';

/**
 * Orders keep the terms that their delivery uses: payment term, overage and time zone, with the last
 * day to pay. In orders of the release before they are null: its settings and the installation's
 * time zone count.
 */
export class KeepTermsWithOrders1798570000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A copy, as most of this table; null is the installation's.
      ALTER TABLE credit_lines ADD COLUMN time_zone text;

      ALTER TABLE transactions
        ADD COLUMN payment_term_days     smallint,
        ADD COLUMN delivery_overage_rate numeric(9,6),
        -- payment_due_at is the end of this day in that time zone.
        ADD COLUMN payment_due_on        date,
        ADD COLUMN payment_time_zone     text;

      -- The fields of a TransactionView. The metadata as text: jsonb would order its fields.
      CREATE OR REPLACE FUNCTION transaction_resource(t transactions) RETURNS jsonb LANGUAGE sql STABLE
        SET search_path FROM CURRENT AS $$
        SELECT jsonb_build_object(
          'id', t.id, 'cornerStoreId', t.corner_store_id, 'userId', t.user_id, 'status', t.status,
          'wholesalerTransactionId', t.wholesaler_transaction_id, 'movementDate', t.movement_date,
          'amountCents', t.amount_cents, 'interestCents', t.interest_cents,
          'ivaCents', t.iva_cents, 'paymentDueAt', t.payment_due_at,
          'paymentTimeZone', t.payment_time_zone,
          'deliveryDate', t.delivery_date, 'metadata', t.metadata::text,
          'wholesalerName',
          (SELECT name FROM wholesalers WHERE wholesaler_id = t.wholesaler_id),
          'products',
          (SELECT jsonb_agg(jsonb_build_object(
                    'id', line.id, 'externalSKU', line.external_sku, 'name', line.name,
                    'quantity', line.quantity, 'createdAt', line.created_at,
                    'updatedAt', line.updated_at) ORDER BY line.position)
             FROM product_lines line WHERE line.transaction_id = t.id))
      $$;
    `);
  }
}
