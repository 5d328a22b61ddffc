import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SERVICES } from '@fiado/contracts/process-names';

/** Rows that do not change for so long will not: relay, worker and sender take milliseconds. */
const QUIET_MS = 400;
const DEADLINE_MS = 60_000;

/** The rows of a table that count, as a condition of SQL; all of them where a table is not listed. */
const COUNTED: Record<string, string> = {
  // Credentials that a test before had refused are written to the audit log up to a minute later.
  'accounts.audit_log': `WHERE action <> 'credential.refused'`,
  // A loop chains the rows of the audit log later.
  'accounts.audit_unchained': 'WHERE false',
  'accounts.audit_chain': 'WHERE false',
  // A rotation of the data keys reaches the services later.
  'accounts.sealed_tables': 'WHERE false',
  'transactions.data_keys': 'WHERE false',
  'transactions.sealed_tables': 'WHERE false',
  'notifier.data_keys': 'WHERE false',
  'notifier.sealed_tables': 'WHERE false',
  // Each refusal is kept, up to a bound (ADR 51).
  'accounts.refusals': 'WHERE false',
  'accounts.refusal_counts': 'WHERE false',
  'transactions.refusals': 'WHERE false',
  'transactions.refusal_counts': 'WHERE false',
  // Reminders of debts that other tests made.
  'payments.notices': `WHERE kind NOT IN ('payment-due', 'payment-overdue')`,
};

/**
 * Messages about debts wait for their minute, and reminders are made by the minute: both would write
 * rows while rows are counted.
 */
const HOLD_NOTICES = `
  CREATE FUNCTION payments.hold_notice() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN NEW.not_before := 'infinity'; RETURN NEW; END $$;
  CREATE TRIGGER hold_notice BEFORE INSERT ON payments.notices
    FOR EACH ROW EXECUTE FUNCTION payments.hold_notice();
  UPDATE payments.notices SET not_before = 'infinity' WHERE state = 'waiting'`;
const RELEASE_NOTICES = `
  DROP FUNCTION payments.hold_notice() CASCADE;
  UPDATE payments.notices SET not_before = now() WHERE state = 'waiting'`;

/** Number of rows of each table of the services, by schema and table. */
export type RowCounts = Record<string, number>;

/** Reads the database of a system directly, which sends no messages about debts meanwhile. */
export class RowCounter {
  private constructor(
    private readonly client: Client,
    private readonly statement: string,
  ) {}

  static async open(databaseUrl: string): Promise<RowCounter> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(HOLD_NOTICES);
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name
         FROM information_schema.tables
        WHERE table_schema = ANY ($1) AND table_type = 'BASE TABLE'
        ORDER BY 1`,
      [SERVICES],
    );
    const counts = rows.map(
      ({ name }) => `SELECT '${name}' AS name, count(*)::int FROM ${name} ${COUNTED[name] ?? ''}`,
    );
    return new RowCounter(client, counts.join(' UNION ALL '));
  }

  /** The counts once no job changes them any more. */
  async quiet(): Promise<RowCounts> {
    const deadline = Date.now() + DEADLINE_MS;
    let before = await this.count();
    for (;;) {
      await sleep(QUIET_MS);
      const now = await this.count();
      if (JSON.stringify(now) === JSON.stringify(before)) return now;
      if (Date.now() > deadline) throw new Error('The database does not come to rest');
      before = now;
    }
  }

  async close(): Promise<void> {
    await this.client.query(RELEASE_NOTICES);
    await this.client.end();
  }

  private async count(): Promise<RowCounts> {
    const { rows } = await this.client.query<{ name: string; count: number }>(this.statement);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }
}
