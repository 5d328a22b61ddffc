import { of, OTHER, type Corruption } from './corruption';

/** Of the time of the clawback: the checks of the last days read it. */
const BESIDE_CLAWBACK = `overlay($clawback PLACING '0000' FROM 33)::uuid`;

/** The open one of the unpaid order. */
const OPEN = `simulated.now(), 'open', NULL, NULL::timestamptz`;

/** A dispute of that order, with the values of the columns from opened_at to decided_at. */
const disputeOf = (order: string, values: string, wholesaler = 't.wholesaler_id'): string => `
  INSERT INTO transactions.disputes
    (id, transaction_id, wholesaler_id, corner_store_id, opened_by, opened_at, status, decided_by, decided_at)
  SELECT gen_random_uuid(), t.id, ${wholesaler}, t.corner_store_id, 'sms', ${values}
    FROM transactions.transactions t JOIN transactions.settlement_lines l
      ON l.kind = 'delivery' AND l.source_id = t.id
    LEFT JOIN transactions.statements s ON s.id = l.statement_id
   WHERE t.id IN (SELECT source_id FROM transactions.settlement_lines WHERE ${order})`;

/** What payments was told of a dispute of the unpaid order: when it ended, and the days that it adds. */
const toldOf = (end: string): string => `
  INSERT INTO payments.debt_disputes (dispute_id, transaction_id, opened_at, closed_at, days)
  VALUES (gen_random_uuid(), $unpaid, simulated.now(), ${end})`;

export const STATEMENTS: Corruption[] = [
  {
    name: 'a statement that has the line of an order that was disputed when it closed',
    plant: disputeOf(
      of('overdue'),
      `s.closed_at - interval '1 hour', 'kept', 'ana', s.closed_at + interval '1 hour'`,
    ),
    reportedBy: ['transactions', 'no statement that closed while a dispute was open'],
  },
  {
    name: 'a dispute that was credited, of an order that is not',
    plant: disputeOf(
      'source_id = $unpaid',
      `simulated.now(), 'credited', 'ana', simulated.now() + interval '1 second'`,
    ),
    reportedBy: ['transactions', 'each dispute is of a delivered order'],
  },
  {
    name: 'a dispute with another wholesaler',
    plant: disputeOf('source_id = $unpaid', OPEN, '$south::uuid'),
    reportedBy: ['transactions', 'each dispute is of a delivered order'],
  },
  ...[
    { name: 'that payments does not know', plant: disputeOf('source_id = $unpaid', OPEN) },
    { name: 'that only payments knows', plant: toldOf('NULL, NULL') },
    {
      name: 'that ended in payments alone',
      plant: `${disputeOf('source_id = $unpaid', OPEN)}; ${toldOf('simulated.now(), 7')}`,
    },
    {
      name: 'that makes its debt wait for other days than it was open',
      plant: `${disputeOf(
        'source_id = $unpaid',
        `simulated.now(), 'kept', 'ana', simulated.now() + interval '30 hours'`,
      )}; ${toldOf('simulated.now(), 3')}`,
    },
  ].map(({ name, plant }) => ({
    name: `a dispute ${name}`,
    plant,
    reportedBy: ['across', 'each delivered order is equal'] satisfies Corruption['reportedBy'],
  })),
  {
    name: 'a delivery whose line is gone',
    plant: `DELETE FROM transactions.settlement_lines WHERE source_id = $unpaid`,
    reportedBy: ['transactions', 'each delivery since the start'],
  },
  {
    name: 'a delivery whose line has another commission',
    plant: `UPDATE transactions.settlement_lines SET commission_cents = commission_cents + 1
             WHERE source_id = $unpaid`,
    reportedBy: ['transactions', 'each delivery since the start'],
  },
  {
    name: 'a clawback of more than was delivered',
    plant: `INSERT INTO transactions.settlement_lines
              (wholesaler_id, kind, source_id, transaction_id, gross_cents, commission_cents,
               recorded_at)
            VALUES ($north, 'clawback', ${OTHER}, $unpaid, -40001, -800, simulated.now())`,
    reportedBy: ['transactions', 'take at most what was delivered'],
  },
  {
    name: 'a clawback that takes a cent too much of the commission',
    plant: `WITH decided AS (
              UPDATE transactions.settlement_adjustments SET commission_cents = commission_cents - 1
               WHERE id = $clawback)
            UPDATE transactions.settlement_lines SET commission_cents = commission_cents - 1
             WHERE source_id = $clawback`,
    reportedBy: ['transactions', 'take the commission on what they take'],
  },
  {
    name: 'a decided clawback whose line is gone',
    plant: `DELETE FROM transactions.settlement_lines WHERE source_id = $clawback`,
    reportedBy: ['transactions', 'each decided adjustment'],
  },
  {
    name: 'a clawback of another amount than was decided',
    plant: `UPDATE transactions.settlement_adjustments SET amount_cents = amount_cents + 1`,
    reportedBy: ['transactions', 'each decided adjustment'],
  },
  {
    name: 'a clawback that nobody decided',
    plant: `DELETE FROM transactions.settlement_adjustments WHERE id = $clawback`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a line of another wholesaler',
    plant: `UPDATE transactions.settlement_lines SET wholesaler_id = $south WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a line of a statement that is gone',
    plant: `UPDATE transactions.settlement_lines SET statement_id = ${OTHER} WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a statement of another total than its lines',
    plant: `UPDATE transactions.statements
               SET gross_cents = gross_cents + 1, net_cents = net_cents + 1, due_cents = due_cents + 1
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'totals, count and hash'],
  },
  {
    name: 'a statement of another IVA than its commission',
    plant: `UPDATE transactions.statements
               SET commission_iva_cents = commission_iva_cents + 1, net_cents = net_cents - 1,
                   due_cents = due_cents - 1
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'totals, count and hash'],
  },
  {
    name: 'a line whose time was changed after its statement closed',
    plant: `UPDATE transactions.settlement_lines SET recorded_at = recorded_at - interval '1 day'
             WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'totals, count and hash'],
  },
  {
    name: 'a statement number that is left out',
    plant: `UPDATE transactions.statements SET number = 3 WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'statements are numbered'],
  },
  {
    name: 'a gap between the periods of two statements',
    plant: `UPDATE transactions.statements SET period_from = period_from + interval '1 second'
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'statements are numbered'],
  },
  {
    name: 'a statement that opens with a balance that none carried',
    plant: `UPDATE transactions.statements
               SET opening_cents = -1, net_cents = net_cents - 1, due_cents = due_cents - 1
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'statements are numbered'],
  },
  {
    name: 'a payment of less than the statement is due',
    plant: `UPDATE transactions.statement_payments SET cents = cents - 1`,
    reportedBy: ['transactions', 'has one live payment'],
  },
  {
    name: 'a returned payment of a statement that stays paid',
    plant: `UPDATE transactions.statement_payments
               SET returned_at = simulated.now(), return_reason = 'CLABE'`,
    reportedBy: ['transactions', 'has one live payment'],
  },
  {
    name: 'a commission invoice of a cent too much',
    plant: `INSERT INTO transactions.tax_documents
              (kind, wholesaler_id, statement_id, document_id, cents, netted_cents, provider)
            SELECT 'commission', wholesaler_id, id, id, commission_cents + commission_iva_cents + 1, 0, 'lender'
              FROM transactions.statements WHERE id = $statement;
            UPDATE transactions.tax_documents SET document_id = id`,
    reportedBy: ['transactions', 'a commission invoice bills the commission'],
  },
  {
    name: 'a last statement that was deleted',
    plant: `DELETE FROM transactions.statements WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'the head of each wholesaler'],
  },
  {
    name: 'a line that the second statement left out too',
    plant: `UPDATE transactions.settlement_lines
               SET statement_id = NULL, recorded_at = recorded_at - interval '1 day'
             WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'no payable line is open for two periods'],
  },
  ...[
    { name: 'of a delivery that is paid', line: `source_id = $paid` },
    { name: 'for longer than a wholesaler can be held', line: `source_id = $unpaid`, days: 61 },
    { name: 'of a credit note whose delivery is not', line: `source_id = $creditNote` },
  ].map(({ name, line, days = 1 }) => ({
    name: `a held line ${name}`,
    plant: `UPDATE transactions.settlement_lines
               SET statement_id = NULL, payable_from = simulated.now() + interval '${days} days'
             WHERE ${line}`,
    reportedBy: ['transactions', 'a line is held only for'] satisfies Corruption['reportedBy'],
  })),
  {
    name: 'a held line of a delivery that its word proved',
    plant: `UPDATE transactions.transactions SET delivery_proof = 'word' WHERE id = $unpaid;
            UPDATE transactions.settlement_lines
               SET statement_id = NULL, payable_from = simulated.now() + interval '1 day'
             WHERE source_id = $unpaid`,
    reportedBy: ['transactions', 'a line is held only for'],
  },
  {
    name: 'a statement with a line that was held beyond its period',
    plant: `UPDATE transactions.settlement_lines SET payable_from = recorded_at + interval '60 days'
             WHERE ${of('overdue')}`,
    reportedBy: ['transactions', 'each line belongs to what it settles'],
  },
  {
    name: 'a head that closes nothing for a year',
    plant: `UPDATE transactions.settlement_heads SET closed_until = closed_until + interval '1 year'
             WHERE wholesaler_id = $north`,
    reportedBy: ['transactions', 'the head of each wholesaler'],
  },
  {
    name: 'a line of a credit note that is dated a year ahead',
    plant: `UPDATE transactions.settlement_lines SET recorded_at = recorded_at + interval '1 year',
                   statement_id = NULL
             WHERE source_id = $creditNote`,
    reportedBy: ['transactions', 'has the time of the credit note'],
  },
  {
    name: 'a credit note of another store',
    plant: `UPDATE transactions.credit_notes SET corner_store_id = $payer WHERE id = $creditNote`,
    reportedBy: ['transactions', 'are of the store of their order'],
  },
  {
    name: 'a payment of a statement that is dated before its period ended',
    plant: `UPDATE transactions.statement_payments SET paid_on = paid_on - 1`,
    reportedBy: ['transactions', 'paid before the last day'],
  },
  {
    name: 'a statement whose period ends a day later, with its head',
    plant: `UPDATE transactions.statements SET period_to = period_to + interval '1 day'
             WHERE id = $nextStatement;
            UPDATE transactions.settlement_heads SET closed_until = closed_until + interval '1 day'
             WHERE wholesaler_id = $north`,
    reportedBy: ['transactions', 'closed before its period ended'],
  },
  {
    name: 'a statement without IVA',
    plant: `UPDATE transactions.statements
               SET iva_rate = 0, net_cents = net_cents + commission_iva_cents,
                   due_cents = greatest(net_cents + commission_iva_cents, 0), commission_iva_cents = 0
             WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'rate of IVA of the installation'],
  },
  {
    name: 'statements that are never closed',
    plant: `UPDATE transactions.wholesalers SET settlement_every = 'never' WHERE wholesaler_id = $north`,
    reportedBy: ['transactions', 'daily, weekly or on demand'],
  },
  {
    name: 'an adjustment that nobody asked for, with its line',
    plant: `INSERT INTO transactions.settlement_adjustments
              (id, wholesaler_id, kind, amount_cents, commission_cents, requested_by, approved_by, created_at)
            VALUES (${BESIDE_CLAWBACK}, $north, 'adjustment', 500000, 0, 'ana', 'luis', simulated.now());
            INSERT INTO transactions.settlement_lines
              (wholesaler_id, kind, source_id, gross_cents, commission_cents, recorded_at)
            VALUES ($north, 'adjustment', ${BESIDE_CLAWBACK}, 500000, 0, simulated.now())`,
    reportedBy: ['transactions', 'each adjustment is as people asked for it'],
  },
  {
    name: 'a clawback that is gone with its line',
    plant: `DELETE FROM transactions.settlement_adjustments WHERE id = $clawback;
            DELETE FROM transactions.settlement_lines WHERE source_id = $clawback`,
    reportedBy: ['transactions', 'that accounts knows as made is kept'],
  },
  {
    name: 'a clawback that moved to another wholesaler with its line',
    plant: `UPDATE transactions.settlement_adjustments SET wholesaler_id = $south WHERE id = $clawback;
            UPDATE transactions.settlement_lines
               SET wholesaler_id = $south, statement_id = NULL
             WHERE source_id = $clawback`,
    reportedBy: ['transactions', 'each adjustment is as people asked for it'],
  },
  {
    name: 'a payment of a statement that nobody approved',
    plant: `INSERT INTO transactions.statement_payments (statement_id, number, bank_reference,
              bank_reference_key, paid_on, cents, paid_by, approved_by)
            SELECT id, 1, 'SPEI-9', 'SPEI9', current_date + 60, due_cents, 'ana', 'luis'
              FROM transactions.statements WHERE id = $nextStatement;
            UPDATE transactions.statements SET status = 'paid' WHERE id = $nextStatement`,
    reportedBy: ['transactions', 'each payment of a statement is as people asked'],
  },
  {
    name: 'a credit note of ops that its wholesaler is said to have given',
    plant: `UPDATE transactions.credit_notes SET created_by = $north WHERE id = $given`,
    reportedBy: ['transactions', 'no credit note that ops gave'],
  },
  {
    name: 'a change that waits and that accounts does not know',
    plant: `INSERT INTO transactions.waiting_changes
              (target_id, change_request_id, kind, payload, requested_by, requested_at)
            VALUES (${OTHER}, ${OTHER}, 'settlement.adjust', '{}', 'ana',
                    simulated.now() - interval '2 hours')`,
    reportedBy: ['transactions', 'accounts knows each change that waits'],
  },
];
