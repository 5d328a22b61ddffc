/** A change of the database that the product never makes, and the check that must report it. */
export interface Corruption {
  name: string;
  /** SQL; `$held` is the id of that seeded row. Triggers and foreign keys do not run. */
  plant: string;
  /** The service and a part of the name of the check. */
  reportedBy: [
    service: 'accounts' | 'transactions' | 'payments' | 'notifier' | 'across',
    check: string,
  ];
}

/** An id of nothing. */
export const OTHER = `'00000000-0000-7000-8000-000000000001'`;
/** The condition of rows of a seeded order. */
export const of = (order: string): string => `transaction_id = $${order}`;
/** The id of the receivable of a seeded order. */
export const receivableOf = (order: string): string =>
  `(SELECT id FROM payments.receivables WHERE transaction_id = $${order})`;
/** The id of the first message about a seeded order. */
export const messageOf = (order: string): string =>
  `(SELECT id FROM notifier.messages WHERE subject_id = $${order} ORDER BY id LIMIT 1)`;
/** A job in an outbox, with the named columns. */
export const outboxRow = (schema: string, columns: Record<string, string>): string => `
  INSERT INTO ${schema}.outbox (id, queue, type, version, aggregate_id, aggregate_version,
                                ${Object.keys(columns).join()})
  VALUES (${OTHER}, 'accounts', 'planted', 1, ${OTHER}, 1, ${Object.values(columns).join()})`;
