/** Old and new values of the fields that a change names, for the audit log: none may be personal. */
export function changedValues<Row extends object>(
  row: Row,
  changes: Partial<Row>,
): { before: Partial<Row>; after: Partial<Row> } {
  const fields = Object.keys(changes) as Array<keyof Row>;
  const before = Object.fromEntries(fields.map((field) => [field, row[field]])) as Partial<Row>;
  return { before, after: changes };
}
