import type { Client } from 'pg';

/** One id in every column that holds one, so that each row finds the rows that it refers to. */
const ID = '0198c0de-0000-7000-8000-000000000001';

/** What a column gets by its type, where it has no default and may not be null. */
const BY_TYPE: Record<string, unknown> = {
  uuid: ID,
  text: 'text',
  integer: 1,
  bigint: 1,
  numeric: 0.05,
  boolean: false,
  bytea: Buffer.from('sealed'),
  json: '{}',
  jsonb: '{}',
  date: '2026-01-31',
  'timestamp with time zone': '2026-01-31T12:00:00Z',
  'bytea[]': [Buffer.from('sealed')],
  'text[]': ['text'],
  'uuid[]': [ID],
  'timestamp with time zone[]': ['2026-01-31T12:00:00Z'],
};

/** What the checks of a table ask for. */
const OVERRIDES: Record<string, Record<string, unknown>> = {
  'accounts.api_keys': { kind: 'wholesaler', wholesaler_id: ID },
  'accounts.data_keys': { kind: 'seal', wrapped: Buffer.from('wrapped') },
  'accounts.consents': { channel: 'link' },
  'accounts.erasures': { phase: 'block' },
  'accounts.event_owners': { owner_kind: 'wholesaler' },
  'accounts.ops_keys': { scope: 'viewer' },
  'accounts.privacy_requests': { kind: 'access' },
  'accounts.staff': { role: 'viewer' },
  'accounts.staff_challenges': { purpose: 'enrol' },
  'transactions.credit_entries': { kind: 'hold' },
  'transactions.credit_notes': { reason: 'return' },
  'transactions.data_keys': { kind: 'seal', wrapped: Buffer.from('wrapped') },
  'transactions.disputes': { opened_by: 'page', status: 'open' },
  'transactions.event_owners': { owner_kind: 'wholesaler' },
  'transactions.exports': { format: 'csv', status: 'expired', from_at: '2026-01-30T12:00:00Z' },
  'transactions.invoice_files': { sha256: Buffer.alloc(32) },
  'transactions.invoice_issuers': { provider: 'facturapi' },
  'transactions.invoices': { status: 'failed', products: '[]' },
  'transactions.refused_credit_notes': { reason: 'return', status: 'rejected' },
  'transactions.settlement_adjustments': { kind: 'adjustment' },
  'transactions.settlement_heads': { carried_cents: 0 },
  'transactions.settlement_lines': { kind: 'adjustment', commission_cents: 0 },
  'transactions.statements': {
    period_to: '2026-02-01T12:00:00Z',
    status: 'closed',
    gross_cents: 1,
    commission_cents: 0,
    commission_iva: 'added',
    commission_iva_cents: 0,
    opening_cents: 0,
    net_cents: 1,
    due_cents: 1,
    sha256: Buffer.alloc(32),
  },
  'transactions.tax_documents': { kind: 'credit-note' },
  'transactions.transactions': { status: 'delivery' },
  'transactions.verifications': { status: 'approved' },
  'payments.credit_balance_entries': { cause: 'surplus' },
  'payments.deposit_changes': { kind: 'deposit.assign' },
  'payments.deposit_decisions': { decision: 'assigned', corner_store_id: ID },
  'payments.deposits': { unmatched_reason: 'unknown', status: 'unmatched' },
  'payments.event_owners': { owner_kind: 'payment-provider' },
  'payments.exports': { format: 'csv', status: 'expired', from_at: '2026-01-30T12:00:00Z' },
  'payments.held_credits': { settled_at: '2026-01-30T12:00:00Z' },
  'payments.notices': { kind: 'delivered' },
  'payments.payouts': { status: 'requested' },
  'payments.portfolio_calendar': { ends_at: '2026-02-02T12:00:00Z' },
  'payments.portfolio_days': { bucket: '0' },
  'payments.receivable_entries': { cause: 'opened' },
  'payments.recovery_entries': { cause: 'opened' },
  // As its copy in deposit_changes.
  'payments.waiting_changes': { payload: '{"depositVersion": 1}' },
  'notifier.data_keys': { kind: 'seal', wrapped: Buffer.from('wrapped') },
  'notifier.event_owners': { kind: 'wholesaler' },
  'notifier.message_attempts': { outcome: 'sent' },
  'notifier.messages': { status: 'sending', claimed_until: '2026-01-31T12:00:00Z' },
  'notifier.webhook_deliveries': { status: 'pending' },
  'notifier.webhook_secrets': { kind: 'v1' },
};

/**
 * Adds a row, unless the table has it.
 * @param table with its schema
 * @param valueOf the value of a column that needs one; undefined for that of its type
 * @param more values of other columns
 */
export async function fillTable(
  database: Client,
  table: string,
  valueOf: (column: { column: string; type: string }) => unknown = () => undefined,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { rows } = await database.query<{ column: string; type: string }>(
    `SELECT attname AS column, split_part(format_type(atttypid, NULL), '(', 1) AS type
       FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''
        AND attnotnull AND (NOT atthasdef OR attname = 'id')`,
    [table],
  );
  const values = {
    ...Object.fromEntries(rows.map((row) => [row.column, valueOf(row) ?? BY_TYPE[row.type]])),
    ...OVERRIDES[table],
    ...more,
  };
  const places = Object.keys(values).map((_, index) => `$${index + 1}`);
  await database.query(
    `INSERT INTO ${table} (${Object.keys(values).join()}) VALUES (${places.join()})
     ON CONFLICT DO NOTHING`,
    Object.values(values),
  );
}
