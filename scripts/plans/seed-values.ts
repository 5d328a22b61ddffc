/** Rows of a table that grows with the orders. */
export const ROWS = 1_000_000;
const WHOLESALERS = 20;
const CORNER_STORES = 100_000;
/** Rows of a table that people write, such as the approvals of the lender's staff in some years. */
const BY_PEOPLE = 10_000;
/** Rows that wait for a moment or for a person. */
const WAITING = 1_000;

/** Rows of the tables that do not grow with the orders. The others have ROWS. */
export const ROWS_OF: Record<string, number> = {
  migrations: 0,
  key_fingerprints: 0,
  data_keys: 0,
  data_key_holders: 0,
  sealed_tables: 0,
  settlement_start: 1,
  reference_key: 1,
  wholesalers: WHOLESALERS,
  payment_providers: WHOLESALERS,
  claims_of_minute: WHOLESALERS,
  settlement_heads: WHOLESALERS,
  invoice_issuers: WHOLESALERS,
  wholesaler_tax_profiles: WHOLESALERS,
  reference_lookups: WHOLESALERS,
  event_owners: 2 * WHOLESALERS,
  api_keys: 1_000,
  staff: 100,
  staff_sessions: 100,
  staff_credentials: 200,
  staff_invitations: 100,
  staff_challenges: 100,
  ops_keys: 100,
  webhook_endpoints: 1_000,
  webhook_secrets: 2_000,
  webhook_replays: 1_000,
  users: CORNER_STORES,
  corner_stores: CORNER_STORES,
  customers: 2 * CORNER_STORES,
  credit_lines: CORNER_STORES,
  credit_balances: CORNER_STORES,
  overdue_versions: CORNER_STORES,
  store_time_zones: CORNER_STORES,
  opposing_stores: CORNER_STORES,
  phone_claims: CORNER_STORES,
  // Of accounts. Those of orders have ROWS.
  'accounts.verifications': 3 * CORNER_STORES,
  consents: 2 * CORNER_STORES,
  privacy_consents: CORNER_STORES,
  kyc_links: 2 * CORNER_STORES,
  onboarding_documents: 4 * CORNER_STORES,
  phone_changes: CORNER_STORES,
  recoveries: CORNER_STORES / 10,
  recovery_entries: CORNER_STORES / 5,
  payouts: CORNER_STORES,
  payment_defaults: CORNER_STORES,
  credit_notes: CORNER_STORES,
  held_credits: CORNER_STORES,
  held_money: CORNER_STORES,
  default_withdrawals: BY_PEOPLE,
  // Two for each debt, and for each order.
  receivable_entries: 2 * ROWS,
  credit_entries: 2 * ROWS,
  change_requests: CORNER_STORES,
  privacy_requests: BY_PEOPLE,
  privacy_packages: BY_PEOPLE,
  erasures: BY_PEOPLE,
  erased_phones: BY_PEOPLE,
  erasure_parts: 4 * BY_PEOPLE,
  deposit_conflicts: 1_000,
  deposit_decisions: BY_PEOPLE,
  reversal_requests: BY_PEOPLE,
  exports: BY_PEOPLE,
  refused_credit_notes: BY_PEOPLE,
  disputes: BY_PEOPLE,
  debt_disputes: BY_PEOPLE,
  settlement_adjustments: BY_PEOPLE,
  statement_payments: 100 * WHOLESALERS,
  // Weekly ones of two years.
  statements: 100 * WHOLESALERS,
  write_offs: BY_PEOPLE,
  deposit_changes: WAITING,
  waiting_changes: WAITING,
  write_off_requests: WAITING,
  // Of a second.
  audit_unchained: 100,
  account_links: WAITING,
  account_visits: WAITING,
  // All that were imported in a day.
  name_changes: CORNER_STORES,
  // Always empty; they go with the next release.
  name_words: 0,
  names_due: 0,
  provider_copies: CORNER_STORES,
  numbers_without_whatsapp: CORNER_STORES,
  // Of the exports that are ready: the files of older ones are deleted.
  export_parts: 500,
  export_links: WAITING,
  export_files: WAITING,
  // Days of three years, of each wholesaler and bucket.
  portfolio_calendar: 1_000,
  portfolio_flows: 1_000 * WHOLESALERS,
  portfolio_days: 6_000 * WHOLESALERS,
  portfolio_cohorts: 6_000 * WHOLESALERS,
  // Last days to pay of the last months, and of the debts that are still owed.
  portfolio_totals: 500 * WHOLESALERS,
  portfolio_position: 1,
  refusal_counts: 30 * WHOLESALERS,
  unknown_number_sends: 8_000 * WHOLESALERS,
  // Finished rows are deleted after some days.
  inbox: 100_000,
  outbox: 100_000,
  idempotency_keys: 100_000,
};

/** The largest id of the seed: ids descend with `n`, so that the newest row has the largest one. */
const LAST_ID = 2 ** 40;
/** SQL of the function public.id_of. Ids of the same number are the same id, in every table. */
export const CREATE_ID_OF = `
  CREATE FUNCTION public.id_of(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(${LAST_ID} - n), 12, '0'))::uuid $$`;

/** Whom the statements are run for: each id of the tests becomes this one, which is in every table. */
export const ASKED_FOR = `00000000-0000-4000-8000-${(LAST_ID - 7).toString(16).padStart(12, '0')}`;

/**
 * The corner store and the user that statements are run for have 10,000 rows in each table of the orders, as
 * after some years, of all wholesalers, and some 50 in each other one.
 */
function storeOf(row: string, rows: string): string {
  return `CASE WHEN ${rows} = ${ROWS} AND (${row}) / ${WHOLESALERS} % 101 = 50
                 OR (${row}) % ceil(${rows} / 50)::bigint = 0
               THEN '${ASKED_FOR}'::uuid ELSE public.id_of((${row}) % ${CORNER_STORES} + 1) END`;
}
const STORE_OF_ROW = storeOf('n', 'rows');
/** Of tables with a row for each store, or for each store and its wholesalers. */
const OWN = 'public.id_of(n)';

/** The oldest are final. Those of the last 18 days are not yet, but for a few. */
const finalOr = (final: string, open: string): string =>
  `CASE WHEN n > rows / 20 OR n / ${WHOLESALERS} % 10 = 3 THEN ${final} ELSE ${open} END`;
/** One in a hundred of any age; the large store has its share of each. */
const RARE = `(n / ${WHOLESALERS} + 50) % 100`;
/** One in a thousand of those that are old enough. */
const IN_DEFAULT = `n > rows / 20 AND n / ${WHOLESALERS} % 1000 = 500`;
/** The newest wait; there are as many as come in some hours. */
const waitingOr = (waiting: string, others: string): string =>
  `CASE WHEN n <= rows / 1000 THEN ${waiting} ELSE ${others} END`;
const oneOf = (...words: string[]): string =>
  `(ARRAY['${words.join("', '")}'])[n % ${words.length} + 1]`;
/** The time of a row, by its number: over the last year, the first one now. */
const AT = `now() - interval '1 year' * (n / rows)`;

/** Values of columns whose type is not enough to generate one, by table and column or by column. */
export const VALUES: Record<string, string> = {
  // References, so that rows refer to each other as in production.
  wholesaler_id: `public.id_of(n % ${WHOLESALERS} + 1)`,
  payment_provider_id: `public.id_of(n % ${WHOLESALERS} + 1)`,
  owner_id: `public.id_of(n % ${WHOLESALERS} + 1)`,
  endpoint_id: 'public.id_of(n % 1000 + 1)',
  staff_id: 'public.id_of(n % 100 + 1)',
  corner_store_id: STORE_OF_ROW,
  user_id: STORE_OF_ROW,
  'event_owners.owner_id': OWN,
  'corner_stores.user_id': OWN,
  ...ofEachStore('credit_lines', 'credit_balances', 'overdue_versions'),
  ...ofEachStore('store_time_zones', 'opposing_stores', 'name_changes'),
  'customers.corner_store_id': `CASE WHEN n <= ${WHOLESALERS} THEN '${ASKED_FOR}'::uuid ELSE public.id_of((n + 1) / 2) END`,
  'receivable_entries.receivable_id': 'public.id_of((n + 1) / 2)',
  'receivable_entries.version': 'n % 2 + 1',
  'receivable_entries.cause': oneOf('opened', 'payment'),
  'receivable_entries.allocation_id': 'CASE WHEN n % 2 = 1 THEN public.id_of((n + 1) / 2) END',
  'receivable_entries.credit_note_id': 'NULL',
  'erasure_parts.erasure_id': 'public.id_of((n + 3) / 4)',
  'erasure_parts.service': oneOf('accounts', 'transactions', 'payments', 'notifier'),
  'export_parts.export_id': 'public.id_of(n % 100 + 1)',
  'export_parts.number': 'n / 100',
  'export_links.export_id': 'public.id_of(n % 100 + 1)',
  // Kept for 30 days, and messages for 90.
  'events.created_at': `now() - interval '30 days' * (n / rows)`,
  'events.occurred_at': `now() - interval '30 days' * (n / rows)`,
  'webhook_deliveries.created_at': `now() - interval '30 days' * (n / rows)`,
  'messages.created_at': `now() - interval '90 days' * (n / rows)`,
  'messages.attempted_at': `now() - interval '90 days' * (n / rows)`,
  'refusals.ids': `jsonb_build_object('wholesalerTransactionId', 'text-' || n)`,
  'refusals.refused_at': `now() - interval '30 days' * (n / rows)`,
  'events.position': 'rows - n',
  'events.type': oneOf(
    'transaction.created',
    'transaction.confirmed',
    'transaction.delivered',
    'transaction.paid',
  ),
  'messages.template': oneOf('order-code', 'delivered', 'payment-received', 'payment-due'),
  'deposits.provider_name': `'provider-' || n % ${WHOLESALERS}`,
  'audit_chain.position': 'rows - n',
  'settlement_lines.statement_id': waitingOr('NULL', 'public.id_of(n % 2000 + 1)'),
  'statements.number': 'n',

  // What of a row is open, and since when it is not.
  'transactions.status': `
    CASE WHEN ${RARE} = 0 THEN 'cancelled' WHEN ${RARE} = 1 THEN 'expired'
         ELSE ${waitingOr(oneOf('pending-verification', 'on-hold'), finalOr(`CASE WHEN ${IN_DEFAULT} THEN 'in-payment-default' ELSE 'paid' END`, `'delivery'`))} END`,
  'transactions.paid_at': finalOr(`${AT} + interval '10 days'`, 'NULL'),
  'transactions.verifications.status': `
    CASE WHEN ${RARE} = 0 THEN 'cancelled' ELSE ${waitingOr(`'pending'`, `'approved'`)} END`,
  'accounts.verifications.status': `
    CASE WHEN ${RARE} = 0 THEN 'cancelled' ELSE ${waitingOr(`'pending'`, `'approved'`)} END`,
  'messages.status': `
    CASE WHEN ${RARE} = 0 THEN 'failed' WHEN ${RARE} = 1 THEN 'unknown'
         ELSE ${waitingOr(oneOf('pending', 'sent'), `'delivered'`)} END`,
  'messages.sealed': 'CASE WHEN n <= rows / 1000 THEN int8send(n) END',
  'messages.claimed_until': 'NULL',
  'deposits.status': `
    CASE WHEN ${RARE} = 0 THEN 'reversed' WHEN ${RARE} = 1 THEN 'unmatched'
         ELSE ${waitingOr(`'received'`, `'applied'`)} END`,
  'deposits.user_id': `CASE WHEN ${RARE} > 1 AND n > rows / 1000 THEN ${STORE_OF_ROW} END`,
  'invoices.kind': oneOf('invoice', 'receipt'),
  // Not those whose order was cancelled.
  'invoices.status': `CASE WHEN ${RARE} = 2 THEN 'failed' ELSE ${waitingOr(`'pending'`, `'issued'`)} END`,
  'tax_documents.status': waitingOr(`'pending'`, `'issued'`),
  'tax_documents.cancellation': `'none'`,
  'invoices.cancellation': `CASE WHEN ${RARE} = 1 THEN 'rejected' ELSE ${waitingOr(`'requested'`, `'none'`)} END`,
  'disputes.status': waitingOr(`'open'`, oneOf('kept', 'credited')),
  'debt_disputes.closed_at': waitingOr('NULL', AT),
  'debt_disputes.days': waitingOr('NULL', 'n % 7 + 1'),
  'corner_stores.status': waitingOr(oneOf('pre-approved', 'in-manual-validation'), `'approved'`),
  'credit_lines.status': `'approved'`,
  // From a credit balance.
  'allocations.deposit_id': 'CASE WHEN n % 10 > 0 THEN public.id_of(n) END',
  'receivables.paid_at': finalOr(
    `CASE WHEN NOT (${IN_DEFAULT}) THEN ${AT} + interval '10 days' END`,
    'NULL',
  ),
  'receivables.due_at': `${AT} + interval '15 days'`,
  'receivables.in_default': IN_DEFAULT,
  'receivables.credited_principal_cents': 'CASE WHEN n % 1000 = 1 THEN n ELSE 0 END',
  'receivables.credited_interest_cents': '0',
  'receivables.credited_iva_cents': '0',
  // Nothing was paid of an open one.
  'receivables.version': finalOr('2', '1'),
  'receivables.paid_principal_cents': finalOr('n', '0'),
  'receivables.paid_interest_cents': finalOr('n', '0'),
  'receivables.paid_iva_cents': finalOr('n', '0'),
  'payment_defaults.paid_at': finalOr(`${AT} + interval '40 days'`, 'NULL'),
  'payouts.status': waitingOr(`'requested'`, `'paid'`),
  'recoveries.paid_cents': finalOr('n', '0'),
  'recoveries.amount_cents': 'n',
  'recovery_entries.recovery_id': 'public.id_of((n + 1) / 2)',
  'recovery_entries.version': 'n % 2 + 1',
  'credit_balance_entries.cause': oneOf('surplus', 'spent'),
  'credit_balance_entries.deposit_id': 'CASE WHEN n % 2 = 0 THEN public.id_of(n) END',
  'credit_balance_entries.payout_id': 'NULL',
  'credit_balance_entries.recovery_id': 'NULL',
  'notices.state': waitingOr(`'waiting'`, `'sent'`),
  'notices.kind': oneOf('delivered', 'payment-received'),
  'change_requests.status': waitingOr(`'pending'`, `'executed'`),
  'change_requests.kind': oneOf('corner-store.terms', 'settlement.adjust', 'privacy.rectify'),
  'change_requests.payload': `jsonb_build_object('userId', public.id_of(n),
    'wholesalerId', public.id_of(n % ${WHOLESALERS} + 1))`,
  'privacy_requests.status': waitingOr(`'open'`, `'done'`),
  'privacy_requests.kind': oneOf('access', 'rectification', 'cancellation', 'opposition'),
  'privacy_packages.storage_key': waitingOr(`'key-' || n`, 'NULL'),
  'erasures.state': waitingOr(oneOf('waiting', 'running'), `'done'`),
  'exports.status': waitingOr(`'running'`, `CASE WHEN n <= 100 THEN 'ready' ELSE 'expired' END`),
  'exports.kind': oneOf('orders', 'debts', 'deposits'),
  'exports.expires_at': `${AT} + interval '7 days'`,
  'statements.status': waitingOr(`'closed'`, `'paid'`),
  'settlement_lines.kind': `CASE WHEN ${RARE} = 0 THEN 'credit-note' ELSE 'delivery' END`,
  'refused_credit_notes.status': waitingOr(`'waiting'`, `'rejected'`),
  'webhook_deliveries.status': `
    CASE WHEN ${RARE} = 0 THEN 'failed' WHEN n <= rows / 10000 THEN 'pending' ELSE 'delivered' END`,
  'messages.channel': `CASE WHEN ${RARE} = 0 THEN 'whatsapp' END`,
  'messages.sms_at': waitingOr('now()', 'NULL'),
  'messages.follows': 'NULL',
  'webhook_deliveries.replay_id': 'NULL',
  'webhook_deliveries.claimed_until': 'NULL',
  'webhook_endpoints.state': `'enabled'`,
  'commissions.voided_at': 'NULL',
  'credit_entries.kind': oneOf('hold', 'repayment'),
  'credit_entries.transaction_id': 'public.id_of((n + 1) / 2)',
  'credit_entries.corner_store_id': storeOf('(n + 1) / 2', 'rows / 2'),
  'corner_stores.blocked_at': 'CASE WHEN n % 1000 = 0 THEN now() END',
  'corner_stores.erased_at': 'CASE WHEN n % 1000 = 0 THEN now() END',
  'corner_stores.opposed_at': 'CASE WHEN n % 100 = 0 THEN now() END',
  'users.contacts': waitingOr('int8send(n)', 'NULL'),
  'phone_changes.held_until': waitingOr('now()', 'NULL'),
  'consents.withdrawn_at': 'NULL',
  'api_keys.revoked_at': 'NULL',
  'staff.disabled_at': 'NULL',
  'staff_sessions.ended_at': 'NULL',
  'audit_log.action': `'action-' || n % 30`,
  'audit_log.actor_id': `'actor-' || n % 100`,
  dead_at: 'NULL',
  leased_until: 'NULL',
  incremental_id: 'rows - n',

  // Days.
  'portfolio_calendar.day': 'current_date - n::int',
  'portfolio_flows.day': `current_date - n::int / ${WHOLESALERS} - 1`,
  'portfolio_days.day': `current_date - n::int / ${6 * WHOLESALERS} - 1`,
  'portfolio_days.bucket': `(ARRAY['0', '1-7', '8-30', '31-60', '61-90', '91+'])[n / ${WHOLESALERS} % 6 + 1]`,
  'portfolio_cohorts.week': `current_date - 7 * (n::int / ${100 * WHOLESALERS})`,
  'portfolio_cohorts.age': `n / ${WHOLESALERS} % 100`,
  'portfolio_totals.due_on': `current_date - n::int / ${WHOLESALERS}`,
  'portfolio_position.only_row': 'true',
  'refusal_counts.day': `current_date - n::int / ${WHOLESALERS}`,
  'unknown_number_sends.hour': `date_trunc('hour', now()) - make_interval(hours => n::int / ${WHOLESALERS})`,
};

/** A value for each type: as many as there are rows, over the last year. */
export const BY_TYPE: Record<string, string> = {
  uuid: 'public.id_of(n)',
  text: `'text-' || n`,
  bytea: `int8send(n)`,
  int8: 'n',
  int4: 'n % 5 + 1',
  int2: 'n % 5 + 1',
  numeric: '0.05',
  xid8: 'n::text::xid8',
  bool: 'false',
  timestamptz: AT,
  date: 'current_date',
  json: `'{}'`,
  jsonb: `'{}'`,
  _text: `'{}'`,
  _uuid: `'{}'`,
  _bytea: 'ARRAY[int8send(n % 10000)]',
  _timestamptz: `'{}'`,
};

function ofEachStore(...tables: string[]): Record<string, string> {
  const columns = tables.flatMap((table) => [`${table}.corner_store_id`, `${table}.user_id`]);
  return Object.fromEntries(columns.map((column) => [column, OWN]));
}
