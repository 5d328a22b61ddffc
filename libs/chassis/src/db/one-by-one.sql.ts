/**
 * SQL that is always true of a key in a list of rows. The planner expects it of one row in 200, and so looks each
 * row of the list up by its key. Without it, a plan that is made while the table is new reads all of the table, for
 * the planner expects 10 or 100 rows of any list; a prepared statement keeps this plan while the table grows.
 * @param key not null
 */
export function oneByOne(key: string): string {
  return `${key} = least(${key}, ${key})`;
}
