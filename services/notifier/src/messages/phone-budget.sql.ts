/**
 * Budgets of a phone for 24 hours. Order codes go to the registered phone of a customer, and half
 * of each budget is reserved for them.
 */
export interface PhoneBudgets {
  /** All SMS to one phone. */
  perPhone: number;
  /** Most SMS of one wholesaler to the phone, so that the rest is left for the others. */
  perPhoneAndWholesaler: number;
}

/**
 * A query with one row: what a phone got in the last 24 hours, of all wholesalers and of one, with
 * order codes and without. A message that was certainly not sent is pending and not counted.
 * Counting ends at the budget: a flood makes no claim slower.
 * @param sql expressions for the phone's index, the wholesaler and the phone's budget
 */
export function phoneUseQuery(sql: {
  phone: string;
  wholesaler: string;
  perPhone: string;
}): string {
  return `
    SELECT count(*) AS in_all,
           count(*) FILTER (WHERE own) AS own,
           count(*) FILTER (WHERE NOT order_code) AS others,
           count(*) FILTER (WHERE own AND NOT order_code) AS own_others
      FROM (
        SELECT wholesaler_id = ${sql.wholesaler} AS own, template = 'order-code' AS order_code
          FROM messages
         WHERE phone_index = ${sql.phone} AND status <> 'pending'
           AND attempted_at > now() - interval '1 day'
         LIMIT ${sql.perPhone}) counted`;
}

/**
 * An expression: the budget that a further message is over, or NULL. It reads the columns of
 * phoneUseQuery from `used`.
 * @param sql expressions for the message's template and for both budgets
 */
export function overPhoneBudget(sql: {
  template: string;
  perPhone: string;
  perPhoneAndWholesaler: string;
}): string {
  return `
    CASE
      WHEN used.in_all >= ${sql.perPhone} THEN 'phone-cap'
      WHEN used.own >= ${sql.perPhoneAndWholesaler} THEN 'phone-and-wholesaler-cap'
      WHEN ${sql.template} = 'order-code' THEN NULL
      -- At least one, however small the budget is.
      WHEN used.others >= greatest(${sql.perPhone} / 2, 1) THEN 'phone-cap'
      WHEN used.own_others >= greatest(${sql.perPhoneAndWholesaler} / 2, 1)
        THEN 'phone-and-wholesaler-cap'
    END`;
}
