/**
 * SQL of the corner store that a refused request `given` concerns, by the store, the external id or
 * the user that it names: null unless that is a customer of the wholesaler. Each part reads one index.
 */
export const CORNER_STORE_OF_REFUSAL = `coalesce(
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND corner_store_id = given.named_store),
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND external_id = given.external_id),
  (SELECT c.corner_store_id FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
    WHERE c.wholesaler_id = given.wholesaler_id AND s.user_id = given.named_user))`;
