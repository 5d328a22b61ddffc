import { everyRow, type Invariant, recentRows, type Scan } from '@fiado/chassis/invariants/scans';
import { MAX_HOLD_DAYS, SETTLEMENT_EVERY } from '@fiado/contracts/corner-store';
import type { TransactionsConfig } from '../config';
import type { approvalInvariants } from './approval-invariants';
import { LEFT_TO_CREDIT } from '../disputes/close-dispute';
import { KEEPS_FILE } from '../invoices/invoice-file.entity';
import { HASH_OF_LINES } from '../statements/close-statements';

/** Checks of orders with the ids $1. */
export const SETTLEMENT_OF_ORDERS: Invariant[] = [
  {
    // The commission of an order has a check of its own: so the line has that of its order.
    name: 'each delivery since the start of the settlement has one equal line, and no other order has one',
    violations: `
      SELECT t.id AS "transactionId", t.delivered_at, t.amount_cents, line.gross_cents,
             line.commission_cents, line.recorded_at
        FROM transactions t CROSS JOIN settlement_start start
        LEFT JOIN settlement_lines line ON line.kind = 'delivery' AND line.source_id = t.id
       WHERE t.id = ANY($1)
         AND CASE WHEN t.delivered_at >= start.at
             THEN (line.wholesaler_id, line.gross_cents, line.commission_cents, line.recorded_at)
                  IS DISTINCT FROM
                  (t.wholesaler_id, t.amount_cents, round(t.amount_cents * t.commission_rate)::bigint,
                   t.delivered_at)
             ELSE line.id IS NOT NULL END`,
  },
  {
    name: 'credit notes and clawbacks of an order take at most what was delivered',
    violations: `
      SELECT t.id AS "transactionId", t.amount_cents, correction.cents AS "correctionsCents"
        FROM transactions t CROSS JOIN LATERAL (
          SELECT coalesce(sum(gross_cents), 0)::bigint AS cents FROM settlement_lines
           WHERE transaction_id = t.id AND kind IN ('credit-note', 'clawback')) correction
       WHERE t.id = ANY($1) AND t.amount_cents + correction.cents < 0`,
  },
  {
    // Checked over all of them: each takes the difference of two rounded commissions, in the order of booking.
    name: 'credit notes and clawbacks of an order take the commission on what they take',
    violations: `
      SELECT t.id AS "transactionId", t.amount_cents, t.commission_rate,
             correction.gross AS "correctionsCents", correction.commission AS "commissionCents"
        FROM transactions t CROSS JOIN LATERAL (
          SELECT sum(gross_cents) AS gross, sum(commission_cents) AS commission
            FROM settlement_lines
           WHERE transaction_id = t.id AND kind IN ('credit-note', 'clawback')) correction
       WHERE t.id = ANY($1)
         AND correction.commission <> round((t.amount_cents + correction.gross) * t.commission_rate)
                                    - round(t.amount_cents * t.commission_rate)`,
  },
];

/** A statement has some hundred lines, which are read with it. */
const STATEMENT_WEIGHT = 200;

/** A line commits within a minute of its time: no database transaction of a delivery lasts longer. */
const COMMITTED_AFTER = '1 minute';

/** How far the times of one database transaction may be apart: a note has milliseconds, its line microseconds. */
const SAME_TIME = '1 second';

/** Lines, statements, and the heads of wholesalers. */
const SCANS: Scan[] = [
  {
    name: 'settlement-lines',
    rows: recentRows('settlement_lines'),
    checks: [
      {
        name: 'each line belongs to what it settles, and to a statement of its wholesaler',
        violations: `
          SELECT l.id AS "lineId", l.kind, l.source_id, l.transaction_id, l.wholesaler_id,
                 l.statement_id, s.wholesaler_id AS "statementOf"
            FROM settlement_lines l
            LEFT JOIN transactions t ON t.id = l.transaction_id
            LEFT JOIN credit_notes note ON l.kind = 'credit-note' AND note.id = l.source_id
            LEFT JOIN settlement_adjustments adjustment
              ON adjustment.id = l.source_id AND adjustment.kind = l.kind
            LEFT JOIN statements s ON s.id = l.statement_id
           WHERE l.id = ANY($1)
             AND (l.transaction_id IS NOT NULL AND t.wholesaler_id IS DISTINCT FROM l.wholesaler_id
                  OR l.kind = 'delivery' AND t.delivered_at IS NULL
                  OR l.kind = 'credit-note' AND note.id IS NULL
                  OR l.kind IN ('clawback', 'adjustment') AND adjustment.id IS NULL
                  OR l.statement_id IS NOT NULL
                     AND (s.wholesaler_id IS DISTINCT FROM l.wholesaler_id
                          OR greatest(l.recorded_at, l.payable_from) >= s.period_to))`,
      },
      {
        name: 'a line is held only for an unproven delivery that is not paid, no longer than 60 days, and a correction as its delivery',
        violations: `
          SELECT l.id AS "lineId", l.kind, l.transaction_id, l.payable_from,
                 delivery.payable_from AS "deliveryPayableFrom", t.delivery_proof, t.status
            FROM settlement_lines l
            LEFT JOIN transactions t ON t.id = l.transaction_id
            LEFT JOIN settlement_lines delivery
              ON delivery.kind = 'delivery' AND delivery.source_id = l.transaction_id
             AND delivery.statement_id IS NULL
           WHERE l.id = ANY($1) AND l.statement_id IS NULL
             AND (l.payable_from > now()
                    AND (t.delivery_proof = 'none' AND t.status <> 'paid') IS NOT TRUE
                  OR l.payable_from > l.recorded_at + interval '${MAX_HOLD_DAYS} days'
                  OR l.kind IN ('credit-note', 'clawback')
                     AND l.payable_from IS DISTINCT FROM delivery.payable_from
                     AND greatest(l.payable_from, delivery.payable_from) > now())`,
      },
      {
        // Deliveries have a check of their own.
        name: 'each line has the time of the credit note or the adjustment that it settles',
        violations: `
          SELECT l.id AS "lineId", l.kind, l.recorded_at, note.created_at AS "noteAt",
                 adjustment.created_at AS "adjustmentAt"
            FROM settlement_lines l
            LEFT JOIN credit_notes note ON l.kind = 'credit-note' AND note.id = l.source_id
            LEFT JOIN settlement_adjustments adjustment
              ON adjustment.id = l.source_id AND adjustment.kind = l.kind
           WHERE l.id = ANY($1)
             AND abs(extract(epoch FROM l.recorded_at
                               - coalesce(note.created_at, adjustment.created_at)))
                 > extract(epoch FROM interval '${SAME_TIME}')`,
      },
    ],
  },
  {
    name: 'settlement-adjustments',
    rows: recentRows('settlement_adjustments'),
    checks: [
      {
        name: 'each decided adjustment has one equal line',
        violations: `
          SELECT a.id AS "adjustmentId", a.kind, a.wholesaler_id, a.transaction_id, a.amount_cents,
                 a.commission_cents, line.gross_cents, line.commission_cents AS "lineCommissionCents"
            FROM settlement_adjustments a
            LEFT JOIN settlement_lines line ON line.kind = a.kind AND line.source_id = a.id
           WHERE a.id = ANY($1)
             AND (line.wholesaler_id, line.transaction_id, line.gross_cents, line.commission_cents)
                 IS DISTINCT FROM
                 (a.wholesaler_id, a.transaction_id,
                  CASE a.kind WHEN 'clawback' THEN -a.amount_cents ELSE a.amount_cents END,
                  a.commission_cents)`,
      },
    ],
  },
  {
    name: 'statements',
    rows: { ...recentRows('statements'), weight: STATEMENT_WEIGHT },
    checks: [
      {
        name: 'totals, count and hash of a statement are those of its lines',
        violations: `
          SELECT s.id AS "statementId", s.number, s.lines, line.count AS "foundLines", s.gross_cents,
                 line.gross AS "linesGrossCents", s.commission_cents, s.commission_iva_cents,
                 line.commission AS "linesCommissionCents", s.sha256 = line.sha256 AS "hashIsEqual"
            FROM statements s CROSS JOIN LATERAL (
              SELECT count(*)::int AS count, coalesce(sum(gross_cents), 0)::bigint AS gross,
                     coalesce(sum(commission_cents), 0)::bigint AS commission,
                     ${HASH_OF_LINES} AS sha256
                FROM settlement_lines WHERE statement_id = s.id) line
            CROSS JOIN LATERAL (
              SELECT CASE s.commission_iva
                     WHEN 'added' THEN round(line.commission * s.iva_rate)
                     ELSE line.commission - round(line.commission / (1 + s.iva_rate)) END::bigint
                     AS cents) iva
           WHERE s.id = ANY($1)
             AND (s.lines, s.gross_cents, s.commission_cents, s.commission_iva_cents, s.sha256)
                 IS DISTINCT FROM
                 (line.count, line.gross,
                  line.commission - CASE s.commission_iva WHEN 'added' THEN 0 ELSE iva.cents END,
                  iva.cents, line.sha256)`,
      },
      {
        name: 'statements are numbered, their periods touch, and each opens with what was carried',
        violations: `
          SELECT s.id AS "statementId", s.wholesaler_id, s.number, s.period_from, before.period_to,
                 s.opening_cents, before.net_cents AS "netBeforeCents"
            FROM statements s CROSS JOIN settlement_start start
            LEFT JOIN statements before
              ON before.wholesaler_id = s.wholesaler_id AND before.number = s.number - 1
           WHERE s.id = ANY($1)
             AND (s.number > 1 AND before.id IS NULL
                  OR s.period_from <> coalesce(before.period_to, start.at)
                  OR s.opening_cents <> coalesce(least(before.net_cents, 0), 0))`,
      },
      {
        name: 'a commission invoice bills the commission of its statement and its IVA, or a credit note takes it back, and has its file',
        violations: `
          SELECT d.id AS "taxDocumentId", d.statement_id, d.cents, s.commission_cents, s.commission_iva_cents, d.uuid
            FROM tax_documents d JOIN statements s ON s.id = d.statement_id
            LEFT JOIN invoice_files file ON file.id = d.id AND file.uuid = d.uuid
           WHERE d.statement_id = ANY($1) AND d.transaction_id IS NULL
             AND (CASE d.kind WHEN 'commission' THEN d.cents ELSE -d.cents END
                    <> s.commission_cents + s.commission_iva_cents
                  OR d.status = 'issued' AND d.provider <> 'local' AND file.id IS NULL
                     AND d.issued_at ${KEEPS_FILE})`,
      },
      {
        name: 'no statement was closed before its period ended',
        violations: `
          SELECT id AS "statementId", number, period_to, closed_at FROM statements
           WHERE id = ANY($1) AND period_to > closed_at + interval '${COMMITTED_AFTER}'`,
      },
      {
        name: 'a paid statement has one live payment of what is due, and no other statement has one',
        violations: `
          SELECT s.id AS "statementId", s.number, s.status, s.due_cents, live.cents AS "paidCents"
            FROM statements s CROSS JOIN LATERAL (
              SELECT coalesce(sum(cents), 0)::bigint AS cents
                FROM statement_payments p
               WHERE p.statement_id = s.id AND p.returned_at IS NULL) live
           WHERE s.id = ANY($1)
             AND (s.status = 'closed' AND s.due_cents = 0
                  OR live.cents <> CASE s.status WHEN 'paid' THEN s.due_cents ELSE 0 END)`,
      },
    ],
  },
  {
    name: 'settlement-heads',
    rows: everyRow('settlement_heads', 'wholesaler_id'),
    checks: [
      {
        name: 'the head of each wholesaler is that of its last statement',
        violations: `
          SELECT h.wholesaler_id AS "wholesalerId", h.last_number, last.number, h.closed_until,
                 last.period_to, h.carried_cents, last.net_cents
            FROM settlement_heads h LEFT JOIN LATERAL (
              SELECT number, period_to, net_cents FROM statements s
               WHERE s.wholesaler_id = h.wholesaler_id ORDER BY number DESC LIMIT 1) last ON true
           WHERE h.wholesaler_id = ANY($1)
             AND (h.last_number <> coalesce(last.number, 0) OR h.closed_until < last.period_to
                  OR h.closed_until > now() + interval '${COMMITTED_AFTER}'
                  OR h.carried_cents <> coalesce(least(last.net_cents, 0), 0))`,
      },
      {
        // A line that commits after its period closed joins the next statement, not the one after.
        name: 'no payable line is open for two periods',
        violations: `
          SELECT l.id AS "lineId", l.wholesaler_id, l.kind, l.recorded_at, last.number,
                 last.period_from
            FROM settlement_heads h
            JOIN statements last ON last.wholesaler_id = h.wholesaler_id
                                AND last.number = h.last_number
            JOIN settlement_lines l ON l.wholesaler_id = h.wholesaler_id AND l.statement_id IS NULL
           WHERE h.wholesaler_id = ANY($1)
             AND coalesce(l.payable_from, l.recorded_at) < last.period_from - interval '${COMMITTED_AFTER}'
             AND NOT EXISTS (
               SELECT FROM disputes d
                WHERE d.transaction_id = l.transaction_id
                  AND (d.status = 'open'
                       OR d.decided_at >= last.period_from - interval '${COMMITTED_AFTER}'))`,
      },
    ],
  },
  {
    name: 'disputes',
    rows: everyRow('disputes'),
    checks: [
      {
        name: 'no statement that closed while a dispute was open has a line of its order',
        violations: `
          SELECT d.id AS "disputeId", d.transaction_id, l.id AS "lineId", s.number, s.closed_at,
                 d.opened_at, d.decided_at
            FROM disputes d
            JOIN settlement_lines l ON l.kind = 'delivery' AND l.source_id = d.transaction_id
                                    OR l.kind <> 'delivery' AND l.transaction_id = d.transaction_id
            JOIN statements s ON s.id = l.statement_id
           WHERE d.id = ANY($1) AND s.closed_at > d.opened_at + interval '${COMMITTED_AFTER}'
             AND s.closed_at < coalesce(d.decided_at, 'infinity') - interval '${COMMITTED_AFTER}'`,
      },
      {
        name: 'each dispute is of a delivered order with its parties, and a credited one has nothing left to credit',
        violations: `
          SELECT d.id AS "disputeId", d.transaction_id, d.status, ${LEFT_TO_CREDIT} AS "leftCents"
            FROM disputes d JOIN transactions t ON t.id = d.transaction_id
           WHERE d.id = ANY($1)
             AND (coalesce(t.delivered_at, 'infinity') > d.opened_at + interval '${COMMITTED_AFTER}'
                  OR (t.wholesaler_id, t.corner_store_id)
                     IS DISTINCT FROM (d.wholesaler_id, d.corner_store_id)
                  OR d.decided_at < d.opened_at
                  OR (d.status = 'open' AND ${LEFT_TO_CREDIT} <= 0)
                  OR (d.status = 'credited' AND ${LEFT_TO_CREDIT} > 0))`,
      },
    ],
  },
  {
    name: 'wholesalers',
    rows: everyRow('wholesalers', 'wholesaler_id'),
    checks: [
      {
        name: 'the statements of each wholesaler are closed daily, weekly or on demand',
        violations: `
          SELECT wholesaler_id AS "wholesalerId", settlement_every FROM wholesalers
           WHERE wholesaler_id = ANY($1)
             AND settlement_every <> ALL('{${SETTLEMENT_EVERY.join()}}')`,
      },
    ],
  },
];

/** Checks of statements with the ids $1, by the settings of the installation now. */
const checksOfTerms = ({
  TIME_ZONE,
  IVA_RATE,
}: Pick<TransactionsConfig, 'TIME_ZONE' | 'IVA_RATE'>): Invariant[] => [
  {
    // If the rate of the installation has changed, other lines of the time have the same rate.
    name: 'each statement has the rate of IVA of the installation, or of a statement beside it',
    violations: `
      SELECT s.id AS "statementId", s.number, s.iva_rate FROM statements s
       WHERE s.id = ANY($1) AND s.iva_rate <> ${IVA_RATE} AND NOT EXISTS (
         SELECT FROM statements beside
          WHERE beside.wholesaler_id = s.wholesaler_id AND beside.iva_rate = s.iva_rate
            AND beside.number IN (s.number - 1, s.number + 1))`,
  },
  {
    name: 'no statement was paid before the last day of its period',
    violations: `
      SELECT s.id AS "statementId", s.number, s.period_to, p.paid_on::text AS "paidOn"
        FROM statements s JOIN statement_payments p ON p.statement_id = s.id
       WHERE s.id = ANY($1)
         AND p.paid_on < ((s.period_to - interval '1 millisecond')
                            AT TIME ZONE '${TIME_ZONE}')::date`,
  },
];

/**
 * The scans of statements.
 * @param config a statement of before may have other terms
 */
export function settlementScans(
  config: Pick<TransactionsConfig, 'TIME_ZONE' | 'IVA_RATE'>,
  approvals: ReturnType<typeof approvalInvariants>,
): Scan[] {
  const more: Record<string, Invariant[]> = {
    'settlement-adjustments': [approvals.adjustments],
    statements: [approvals.payments, ...checksOfTerms(config)],
    wholesalers: [approvals.made],
  };
  return [
    ...SCANS.map((scan) => ({ ...scan, checks: [...scan.checks, ...(more[scan.name] ?? [])] })),
    { name: 'waiting-changes', checks: [approvals.waiting] },
  ];
}
