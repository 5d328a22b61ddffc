import { migrate } from '@fiado/chassis/db/migrate';
import { Client, escapeIdentifier } from 'pg';
import { SCHEMAS } from './schemas';

const ROWS = 1_000_000;
const WHOLESALERS = 20;
const CORNER_STORES = 100_000;

/** Tables that stay small, whatever the number of orders. The others have ROWS. */
const ROWS_OF: Record<string, number> = {
  migrations: 0,
  key_fingerprints: 0,
  data_keys: 0,
  data_key_holders: 0,
  sealed_tables: 0,
  wholesalers: WHOLESALERS,
  payment_providers: WHOLESALERS,
  claims_of_minute: WHOLESALERS,
  api_keys: 1_000,
  staff: 100,
  staff_sessions: 100,
  ops_keys: 100,
  webhook_endpoints: 1_000,
  webhook_secrets: 2_000,
  deposit_conflicts: 1_000,
  deposit_decisions: 10_000,
  users: CORNER_STORES,
  corner_stores: CORNER_STORES,
  customers: CORNER_STORES,
  credit_lines: CORNER_STORES,
  credit_balances: CORNER_STORES,
  overdue_versions: CORNER_STORES,
  // Rows wait here for a second.
  audit_unchained: 1_000,
  // Finished rows are deleted after some days.
  inbox: 100_000,
  outbox: 100_000,
  idempotency_keys: 100_000,
};

/** Whom the statements are run for: each id of the tests becomes this one, which is in every table. */
export const ASKED_FOR = '00000000-0000-4000-8000-000000000007';

/** The referenced rows, so that rows refer to each other as in production. */
const REFERENCES: Record<string, number> = {
  wholesaler_id: WHOLESALERS,
  payment_provider_id: WHOLESALERS,
  corner_store_id: CORNER_STORES,
  user_id: CORNER_STORES,
};

/**
 * The corner store and the user that statements are run for have 10,000 rows in each large table, as after
 * some years, of all wholesalers.
 */
const LARGE_STORE = `n / ${WHOLESALERS} % 101 = 50`;

/** The final state of most rows; one in a hundred of each wholesaler has not reached it yet. */
function statusOf(done: string, open: string): string {
  const others = `ARRAY['${open.replaceAll(' ', "', '")}']`;
  return `CASE WHEN n / ${WHOLESALERS} % 100 > 0 THEN '${done}'
               ELSE (${others})[n / ${WHOLESALERS} / 100 % cardinality(${others}) + 1] END`;
}

/** Values of columns whose type is not enough to generate one, by table and column or by column. */
const VALUES: Record<string, string> = {
  'transactions.status': statusOf(
    'paid',
    'pending-verification on-hold delivery in-payment-default cancelled expired',
  ),
  'messages.status': statusOf('delivered', 'pending sending sent failed unknown'),
  'deposits.status': statusOf('applied', 'received unmatched reversed'),
  'invoices.status': statusOf('issued', 'pending failed'),
  'corner_stores.status': statusOf('approved', 'pre-approved in-manual-validation'),
  'credit_lines.status': `'approved'`,
  'verifications.status': statusOf('approved', 'pending cancelled'),
  'messages.claimed_until': 'NULL',
  'receivables.paid_at': `CASE WHEN n / ${WHOLESALERS} % 100 > 0 THEN now() END`,
  // From a credit balance.
  'allocations.deposit_id': 'CASE WHEN n % 10 > 0 THEN public.id_of(n) END',
  'receivables.in_default': 'n % 1000 = 0',
  'receivables.credited_principal_cents': '0',
  'receivables.credited_interest_cents': '0',
  'receivables.credited_iva_cents': '0',
  'commissions.voided_at': 'NULL',
  'credit_entries.kind': `(ARRAY['hold', 'repayment'])[n % 2 + 1]`,
  dead_at: 'NULL',
  leased_until: 'NULL',
  incremental_id: 'n',
};

/** A value for each type: as many as there are rows, over the last year. */
const BY_TYPE: Record<string, string> = {
  uuid: 'public.id_of(n)',
  text: `'text-' || n`,
  bytea: `int8send(n)`,
  int8: 'n',
  int4: 'n % 5 + 1',
  int2: 'n % 5 + 1',
  numeric: '0.05',
  bool: 'false',
  timestamptz: `now() - interval '1 year' * (n / ${ROWS}.0)`,
  date: 'current_date',
  json: `'{}'`,
  jsonb: `'{}'`,
  _text: `'{}'`,
  _uuid: `'{}'`,
  _bytea: 'ARRAY[int8send(n % 10000)]',
  _timestamptz: `'{}'`,
};

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Makes a database with every service's schema and fills it. @returns its URL */
export async function seedEveryTable(
  serverUrl: string,
  say: (line: string) => void,
): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = '/plans';
  const seededUrl = url.toString();
  await withClient(serverUrl, (owner) => owner.query('CREATE DATABASE plans'));
  for (const schema of SCHEMAS) {
    await migrate({ schema, ownerUrl: seededUrl, queuesInPostgres: false });
  }
  await withClient(seededUrl, async (owner) => {
    // Ids of the same number are the same id, in every table.
    await owner.query(`
      CREATE FUNCTION public.id_of(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      $$ SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$`);
    for (const { name } of SCHEMAS) {
      for (const [table, columns] of await tablesOf(owner, name)) {
        if (ROWS_OF[table] !== 0) await fill(owner, name, table, columns);
      }
      say(`${name} is filled`);
    }
    await owner.query('VACUUM (ANALYZE)');
  });
  return seededUrl;
}

async function tablesOf(owner: Client, schema: string): Promise<Map<string, Column[]>> {
  const { rows } = await owner.query<Column>(
    `SELECT c.relname AS table, a.attname AS column, t.typname AS type
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND a.attnum > 0
        AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = ''
      ORDER BY c.relname, a.attnum`,
    [schema],
  );
  const tables = new Map<string, Column[]>();
  for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row]);
  return tables;
}

async function fill(
  owner: Client,
  schema: string,
  table: string,
  columns: Column[],
): Promise<void> {
  const name = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  const { rows: checks } = await owner.query<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [name],
  );
  // The planner does not look at them, and no value here is meant to be right.
  for (const { conname } of checks) {
    await owner.query(`ALTER TABLE ${name} DROP CONSTRAINT ${escapeIdentifier(conname)}`);
  }
  await owner.query('SET session_replication_role = replica');
  await owner.query(
    `INSERT INTO ${name} (${columns.map(({ column }) => escapeIdentifier(column)).join(', ')})
     SELECT ${columns.map(valueOf).join(', ')}
       FROM generate_series(1, ${ROWS_OF[table] ?? ROWS}) AS n
     ON CONFLICT DO NOTHING`,
  );
}

function valueOf({ table, column, type }: Column): string {
  const own = VALUES[`${table}.${column}`] ?? VALUES[column];
  if (own !== undefined) return own;
  const others = REFERENCES[column];
  if (others === CORNER_STORES) {
    return `CASE WHEN ${LARGE_STORE} THEN '${ASKED_FOR}' ELSE public.id_of(n % ${others} + 1) END`;
  }
  if (others !== undefined) return `public.id_of(n % ${others} + 1)`;
  const value = BY_TYPE[type];
  if (value === undefined) throw new Error(`${table}.${column}: no value for the type ${type}`);
  return value;
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
