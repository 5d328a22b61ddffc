/**
 * SQL that counts $6 wrong codes (0 or 1) for the customer $4 (wholesaler), $5 (corner store), unless
 * $7 were counted in the window of $8 milliseconds; the window begins with its first wrong code. Ends
 * inside its WHERE clause.
 * @param column where they are counted: codes given through the API and on pages are kept apart
 */
export function spendCustomerBudget(column: 'wrong_codes' | 'page_wrong_codes'): string {
  const inWindow = `${column}_since > now() - make_interval(secs => $8::float / 1000)`;
  return `
  UPDATE customers
     SET ${column} = $6::integer + CASE WHEN ${inWindow} THEN ${column} ELSE 0 END,
         ${column}_since = CASE WHEN ${inWindow} THEN ${column}_since
                                WHEN $6::integer > 0 THEN now() END
   WHERE wholesaler_id = $4 AND corner_store_id = $5
     AND (${column} < $7 OR NOT ${inWindow})`;
}
