interface DistinctValues {
  /** Name of the CTE. */
  name: string;
  table: string;
  /** Column, or an expression of an index. */
  column: string;
  /** Name of the CTE's column. */
  as: string;
  /** SQL: the rows of the table that count. An index begins with the column and has these rows. */
  where: string;
}

/**
 * SQL of a CTE of `WITH RECURSIVE`: the distinct values of a column, and a null at the end. It probes
 * the index once for each value, however many rows have it, as DISTINCT does not.
 */
export function distinctValues({ name, table, column, as, where }: DistinctValues): string {
  return `${name} AS (
    SELECT (SELECT ${column} FROM ${table} WHERE ${where} ORDER BY ${column} LIMIT 1) AS ${as}
    UNION ALL
    SELECT (SELECT ${column} FROM ${table} WHERE ${where} AND ${column} > ${name}.${as}
             ORDER BY ${column} LIMIT 1)
      FROM ${name} WHERE ${name}.${as} IS NOT NULL
  )`;
}
