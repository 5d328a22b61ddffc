// What readers and events of an order show of a row `t` of transactions and its `wholesaler`. The events'
// function is made of it too (db/triggers.sql.ts), so this file imports nothing.

/** Columns by their names in an OrderView. */
const COLUMNS = {
  id: 't.id',
  cornerStoreId: 't.corner_store_id',
  userId: 't.user_id',
  status: 't.status',
  wholesalerTransactionId: 't.wholesaler_transaction_id',
  movementDate: 't.movement_date',
  amountCents: 't.amount_cents',
  // A delivery keeps it: until then nothing changes the amount.
  orderedCents: 'CASE WHEN t.delivered_at IS NULL THEN t.amount_cents ELSE t.ordered_cents END',
  interestCents: 't.interest_cents',
  ivaCents: 't.iva_cents',
  paymentDueAt: 't.payment_due_at',
  paymentTimeZone: 't.payment_time_zone',
  deliveryDate: 't.delivery_date',
  deliveredAt: 't.delivered_at',
  paidAt: 't.paid_at',
  deliveryProof: 't.delivery_proof',
  wholesalerName: 'wholesaler.name',
};

/** As text: jsonb would order its fields. */
const METADATA = 't.metadata::text';

const PRODUCT_LINES = `(SELECT coalesce(json_agg(json_build_object(
    'id', line.id, 'externalSKU', line.external_sku, 'name', line.name, 'quantity', line.quantity,
    'createdAt', line.created_at, 'updatedAt', line.updated_at) ORDER BY line.position), '[]')
  FROM product_lines line WHERE line.transaction_id = t.id)`;

/** The columns that every reader of an order sees. */
export const COMMON_COLUMNS = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The columns of OpsTransaction, of rows `t` and `wholesaler`. */
export const OPS_COLUMNS = `${COMMON_COLUMNS}, t.incremental_id, t.wholesaler_id, t.created_at,
  t.updated_at`;

/** The product lines, as JSON. */
export const PRODUCTS = `${PRODUCT_LINES} AS products`;

/** The columns of an OrderView. */
export const VIEW_COLUMNS = `${COMMON_COLUMNS}, ${METADATA}, ${PRODUCTS}`;

/** The fields of an OrderView as names and values of jsonb_build_object. */
export const VIEW_FIELDS = Object.entries({
  ...COLUMNS,
  metadata: METADATA,
  products: PRODUCT_LINES,
})
  .map(([name, column]) => `'${name}', ${column}`)
  .join(', ');
