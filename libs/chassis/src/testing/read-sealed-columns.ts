/** Bytes that are not sealed: by the last word of the column's name. */
const NOT_SEALED = /(hash|salt|sha256|index|public_key|wrapped)$/;
/** Answers and jobs live for a day and for a month. */
const NOT_SEALED_ANEW = /^(idempotency_keys|inbox|outbox)\./;

/**
 * The columns of a schema whose values are sealed anew, as `table.column`.
 * @param schema SQL of its name
 */
export async function readSealedColumns(
  read: (text: string) => Promise<{ name: string }[]>,
  schema: string,
): Promise<string[]> {
  const found = await read(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = ${schema} AND data_type = 'bytea'`,
  );
  return found
    .map(({ name }) => name)
    .filter((name) => !NOT_SEALED.test(name) && !NOT_SEALED_ANEW.test(name));
}
