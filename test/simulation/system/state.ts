import type { Message } from './messages';
import type { System } from './system';

/** What the databases of all services hold after a step. Cents, milliseconds since 1970. */
export interface State {
  orders: OrderState[];
  lines: LineState[];
  wholesalers: Array<{ id: string; version: number; minimumCents: number }>;
  stores: Array<{ id: string; overdue: boolean }>;
  receivables: ReceivableState[];
  balances: Array<{
    store: string;
    reference: string;
    cents: number;
    ledgerCents: number;
    heldCents: number;
  }>;
  deposits: Array<{ id: string; key: string; status: string; cents: number }>;
  /** What wholesalers are owed: a delivery by its order, a credit note by its id. */
  settlement: Array<{
    source: string;
    wholesaler: string;
    grossCents: number;
    commissionCents: number;
    payableFrom: number;
    number: number | null;
  }>;
  statements: Array<{
    wholesaler: string;
    number: number;
    lines: number;
    openingCents: number;
    netCents: number;
    dueCents: number;
  }>;
  /** Messages that were appended since the last look, and deposits that wait, in the order of their ids. */
  messages: Message[];
}

export interface OrderState {
  id: string;
  status: string;
  amountCents: number;
  interestCents: number;
  ivaCents: number;
  commissionCents: number;
  dueAt: number;
  verificationId: string | null;
  sends: number | null;
  checks: number | null;
  expiresAt: number | null;
}

export interface LineState {
  id: string;
  version: number;
  status: string;
  limitCents: number;
  usedCents: number;
  /** The sum of the line's ledger. */
  entriesCents: number;
  /** How many of the ledger's rows took credit. */
  holds: number;
  interestRate: string;
  timeZone: string | null;
  overdue: boolean;
}

export interface ReceivableState {
  order: string;
  idFactura: string;
  /** What was owed, what is outstanding, and the sum of the ledger: interest, IVA, principal. */
  owed: number[];
  outstanding: number[];
  ledger: number[];
  inDefault: boolean;
  /** Open defaults: one when it is in default, else none. */
  openDefaults: number;
  withdrawnDefaults: number;
  version: number;
  /** What reached it and was not taken back, oldest first. */
  payments: Array<{ id: string; deposit: string | null; parts: number[] }>;
}

/**
 * Reads all state, takes the new messages out of the outboxes and moves the clock on, in one
 * statement: it is sent after every step.
 */
export async function readState({ database }: System, nextMs: number): Promise<State> {
  const { rows } = await database.owner.query<{ state: State }>({
    name: 'read-state',
    text: READ_STATE,
    values: [nextMs],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('The look at the state answers one row');
  return row.state;
}

const OUTBOX = (schema: string): string => `
  DELETE FROM ${schema}.outbox
  RETURNING id, json_build_object('id', id, 'queue', queue, 'type', type, 'version', version,
    'occurredAt', created_at, 'aggregateId', aggregate_id, 'aggregateVersion', aggregate_version,
    'data', data) AS message`;

/** Deposits that wait for the loop that applies them, as messages of their own. */
const RECEIVED_DEPOSITS = `
  SELECT id, json_build_object('id', id, 'queue', 'payments', 'type', 'apply-deposit', 'version', 1,
    'occurredAt', received_at, 'aggregateId', id, 'aggregateVersion', 1, 'data', json_build_object())
    FROM payments.deposits WHERE status = 'received'`;

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;

const list = (object: string, from: string): string =>
  `(SELECT coalesce(json_agg(${object}), '[]') FROM ${from})`;

const READ_STATE = `
WITH a AS (${OUTBOX('accounts')}), t AS (${OUTBOX('transactions')}), p AS (${OUTBOX('payments')}),
time AS (UPDATE simulated.clock SET at = to_timestamp($1::float8 / 1000))
SELECT json_build_object(
  'messages', ${list('message ORDER BY id', `(TABLE a UNION ALL TABLE t UNION ALL TABLE p UNION ALL ${RECEIVED_DEPOSITS}) sent`)},
  'orders', ${list(
    `json_build_object('id', o.id, 'status', o.status, 'amountCents', o.amount_cents,
       'interestCents', o.interest_cents, 'ivaCents', o.iva_cents,
       'commissionCents', (SELECT sum(c.amount_cents) FROM transactions.commissions c
                            WHERE c.transaction_id = o.id AND c.voided_at IS NULL),
       'dueAt', ${ms('o.payment_due_at')}, 'verificationId', v.id, 'sends', v.sends,
       'checks', v.checks, 'expiresAt', ${ms('v.expires_at')})`,
    `transactions.transactions o
       LEFT JOIN transactions.verifications v ON v.transaction_id = o.id`,
  )},
  'lines', ${list(
    `json_build_object('id', l.corner_store_id, 'version', l.version, 'status', l.status,
       'limitCents', l.limit_cents, 'usedCents', l.used_cents,
       'entriesCents', (SELECT coalesce(sum(e.amount_cents), 0) FROM transactions.credit_entries e
                         WHERE e.corner_store_id = l.corner_store_id),
       'holds', (SELECT count(*) FROM transactions.credit_entries e
                  WHERE e.corner_store_id = l.corner_store_id AND e.amount_cents > 0
                    AND e.kind IN ('hold', 'adjustment')),
       'interestRate', trim_scale(l.interest_rate)::text, 'timeZone', l.time_zone,
       'overdue', l.overdue)`,
    'transactions.credit_lines l',
  )},
  'wholesalers', ${list(
    `json_build_object('id', wholesaler_id, 'version', version,
       'minimumCents', minimum_transaction_cents)`,
    'transactions.wholesalers',
  )},
  'stores', ${list(`json_build_object('id', id, 'overdue', overdue)`, 'accounts.corner_stores')},
  'receivables', ${list(
    `json_build_object('order', r.transaction_id, 'idFactura', r.id_factura,
       'owed', json_build_array(r.interest_cents, r.iva_cents, r.principal_cents),
       'outstanding', json_build_array(
         r.interest_cents - r.paid_interest_cents - r.credited_interest_cents,
         r.iva_cents - r.paid_iva_cents - r.credited_iva_cents,
         r.principal_cents - r.paid_principal_cents - r.credited_principal_cents),
       'ledger', (SELECT json_build_array(sum(e.interest_cents), sum(e.iva_cents),
                           sum(e.principal_cents))
                    FROM payments.receivable_entries e WHERE e.receivable_id = r.id),
       'inDefault', r.in_default,
       'openDefaults', (SELECT count(*) FROM payments.payment_defaults d
                         WHERE d.receivable_id = r.id AND d.paid_at IS NULL),
       'withdrawnDefaults', (SELECT count(*) FROM payments.default_withdrawals w
                              WHERE w.receivable_id = r.id),
       'version', r.version,
       'payments', (SELECT coalesce(json_agg(json_build_object('id', id, 'deposit', key,
                             'parts', parts) ORDER BY version), '[]')
                      FROM (SELECT a.id, d.clave_de_pago AS key, min(e.version) AS version,
                                   json_build_array(-sum(e.interest_cents), -sum(e.iva_cents),
                                     -sum(e.principal_cents)) AS parts
                              FROM payments.allocations a
                              JOIN payments.receivable_entries e ON e.allocation_id = a.id
                              LEFT JOIN payments.deposits d ON d.id = a.deposit_id
                             WHERE a.receivable_id = r.id
                             GROUP BY a.id, d.clave_de_pago
                            HAVING sum(e.interest_cents + e.iva_cents + e.principal_cents) <> 0) x))`,
    'payments.receivables r',
  )},
  'balances', ${list(
    `json_build_object('store', b.corner_store_id, 'reference', b.numero_referencia,
       'cents', b.balance_cents,
       'heldCents', (SELECT coalesce(sum(h.cents), 0) FROM payments.held_money h
                      WHERE h.user_id = b.user_id AND h.allocation_id IS NULL AND EXISTS (
                        SELECT FROM payments.held_credits n WHERE n.settled_at IS NULL
                           AND n.credit_note_id = ANY(h.credit_note_ids))),
       'ledgerCents', (SELECT coalesce(sum(e.cents), 0) FROM payments.credit_balance_entries e
                        WHERE e.user_id = b.user_id))`,
    'payments.credit_balances b',
  )},
  'settlement', ${list(
    `json_build_object('source', l.source_id, 'wholesaler', l.wholesaler_id,
       'grossCents', l.gross_cents, 'commissionCents', l.commission_cents,
       'payableFrom', round(1000 * extract(epoch FROM greatest(l.recorded_at, l.payable_from)))::bigint,
       'number', s.number)`,
    `transactions.settlement_lines l LEFT JOIN transactions.statements s ON s.id = l.statement_id`,
  )},
  'statements', ${list(
    `json_build_object('wholesaler', wholesaler_id, 'number', number, 'lines', lines,
       'openingCents', opening_cents, 'netCents', net_cents, 'dueCents', due_cents)
       ORDER BY wholesaler_id, number`,
    'transactions.statements',
  )},
  'deposits', ${list(
    `json_build_object('id', id, 'key', clave_de_pago, 'status', status, 'cents', valor_cents)`,
    'payments.deposits',
  )}
) AS state`;
