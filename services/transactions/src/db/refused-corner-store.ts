/**
 * SQL of the corner store that a refused request `given` concerns, by the store, the external id or
 * the order that it names: null unless that is the wholesaler's own. Each part reads one index.
 */
export const CORNER_STORE_OF_REFUSAL = `coalesce(
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND corner_store_id = given.named_store),
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND external_id = given.external_id),
  (SELECT corner_store_id FROM transactions
    WHERE id = given.named_transaction AND wholesaler_id = given.wholesaler_id))`;
