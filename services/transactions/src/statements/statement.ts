import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { dayAfter } from '@fiado/contracts/clock';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_STATEMENT } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import { transactionFields } from '../orders/order-view';
import type { StatementTotals } from './settlement.rules';
import type { SettlementLineRow } from './settlement-line.entity';
import type { StatementRow } from './statement.entity';
import type { StatementPaymentRow } from './statement-payment.entity';

export const STATEMENT_STATUSES = ['closed', 'paid'] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

/** The person who made a change, and the one who approved it; null where one person was enough. */
export interface Decision {
  requestedBy: string;
  approvedBy: string | null;
}

/** A row of statements, with its live payment. */
export interface Statement
  extends
    StatementTotals,
    Pick<
      StatementRow,
      | keyof StatementTotals
      | 'id'
      | 'wholesalerId'
      | 'number'
      | 'periodFrom'
      | 'periodTo'
      | 'status'
      | 'lines'
      | 'sha256'
      | 'closedAt'
      | 'version'
    > {
  wholesaler: string;
  paidAt: StatementPaymentRow['recordedAt'] | null;
  /** Such as 2026-11-24. */
  paidOn: StatementPaymentRow['paidOn'] | null;
  bankReference: StatementPaymentRow['bankReference'] | null;
  /** Payment complements of it that are not issued yet. */
  pendingComplements: number;
  /** State of the lender's document of its commission; null without one. */
  commissionInvoice: 'pending' | 'issued' | null;
}

/** Statements with the columns of Statement; a WHERE may follow. */
export const SELECT_STATEMENT = `
  SELECT s.*, w.name AS wholesaler, p.recorded_at AS "paidAt", p.paid_on::text AS "paidOn",
         p.bank_reference,
         (SELECT count(*)::int FROM tax_documents d
           WHERE d.statement_id = s.id AND d.document_id = d.id AND d.status = 'pending'
             AND d.kind = 'payment' AND d.cancellation = 'none') AS "pendingComplements",
         (SELECT d.status FROM tax_documents d
           WHERE d.statement_id = s.id AND d.document_id = d.id AND d.transaction_id IS NULL) AS "commissionInvoice"
    FROM statements s JOIN wholesalers w USING (wholesaler_id)
    LEFT JOIN statement_payments p ON p.statement_id = s.id AND p.returned_at IS NULL`;

/** The last day of the period of a statement, such as 2026-11-22; its end belongs to the next one. */
export function lastDayOf({ periodTo }: Pick<Statement, 'periodTo'>, timeZone: string): string {
  return dayAfter(new Date(periodTo.getTime() - 1), timeZone).date;
}

/** Amounts of a statement and of a draft. */
export const amountFields = {
  grossAmount: t.field(t.pesos, 'Price of the delivered goods less corrections', 1480.5),
  commission: t.field(t.pesos, 'Commission of the lender, without IVA', 29.61),
  commissionIVA: t.field(t.pesos, 'Value-added tax on the commission', 4.74),
  openingBalance: t.field(
    t.pesos,
    'What the wholesaler owed after the statement before: zero or negative',
    0,
  ),
  netAmount: t.field(
    t.pesos,
    '`openingBalance` plus `grossAmount` less `commission` and `commissionIVA`',
    1446.15,
  ),
  amountDue: t.field(
    t.pesos,
    'What the lender pays: `netAmount`, or 0 where that is negative',
    1446.15,
  ),
};

export const presentAmounts = (totals: StatementTotals) => ({
  grossAmount: amountOf(totals.grossCents),
  commission: amountOf(totals.commissionCents),
  commissionIVA: amountOf(totals.commissionIvaCents),
  openingBalance: amountOf(totals.openingCents),
  netAmount: amountOf(totals.netCents),
  amountDue: amountOf(totals.dueCents),
});

export const statementFields = {
  statementId: fields.statementId,
  number: t.field(t.count, '1, 2, 3… of each wholesaler, without gaps', 12),
  periodFrom: t.time(
    'Where its period begins: where the one before ended',
    '2026-11-16T06:00:00.000Z',
  ),
  periodTo: t.time(
    'Where its period ends; this moment belongs to the next one',
    '2026-11-23T06:00:00.000Z',
  ),
  status: t.field(
    t.oneOf(STATEMENT_STATUSES),
    'Whether the lender paid it; one with nothing due is paid at once',
  ),
  lines: t.field(t.count, 'Number of its lines', 2),
  ...amountFields,
  sha256: t.field(
    t.text,
    'SHA-256 of the lines; docs/guides/accountant-wholesaler.md says of which text',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  closedAt: t.time('Time at which it was closed', '2026-11-23T06:00:12.345Z'),
  paidAt: t.timeOrNull(
    'Time at which its payment was recorded; null without one',
    '2026-11-24T17:30:00.000Z',
  ),
  paidOn: t.textOrNull('Day of the transfer', '2026-11-24'),
  bankReference: t.nullable(fields.bankReference),
};

export const statementAnswer = t.object('Statement', statementFields);

const opsStatementFields = {
  wholesalerId: fields.wholesalerId,
  wholesaler: transactionFields.wholesaler,
  ...statementFields,
  pendingComplements: t.field(t.count, 'Payment complements of it that are not issued yet', 0),
  commissionInvoice: t.field(
    t.nullable(t.oneOf(['pending', 'issued'])),
    'Whether the invoice of its commission was issued, or the credit note for what it takes back; null without one',
    'issued',
  ),
};

export const opsStatementAnswer = t.object('OpsStatement', opsStatementFields);

export const LINE_KINDS = ['delivery', 'credit-note', 'clawback', 'adjustment'] as const;

/** Sums of the lines of one kind, of a statement or a draft. */
export const kindSumsField = t.list(
  t.object('StatementKindSums', {
    kind: t.field(t.oneOf(LINE_KINDS), 'Kind of the lines'),
    lines: t.field(t.count, 'Number of these lines', 1),
    grossAmount: t.field(t.pesos, 'Sum of their `grossAmount`', 1480.5),
    commission: t.field(t.pesos, 'Sum of their `commission`, as lines have it', 29.61),
  }),
  'Sums of the lines by kind; without kinds that have no line',
);

export const opsStatementDetails = t.object('OpsStatementDetails', {
  ...opsStatementFields,
  kinds: kindSumsField,
});

/** Cents. */
export interface KindSums extends Pick<
  SettlementLineRow,
  'kind' | 'grossCents' | 'commissionCents'
> {
  lines: number;
}

export const presentKindSums = (sums: KindSums[]) =>
  sums.map(({ kind, lines, grossCents, commissionCents }) => ({
    kind,
    lines,
    grossAmount: amountOf(grossCents),
    commission: amountOf(commissionCents),
  }));

export const exampleKindSums = [{ grossAmount: 480.5, commission: 9.61 }];

export const exampleStatement: t.ExampleOf<typeof statementAnswer> = {
  status: 'paid',
  bankReference: EXAMPLE_STATEMENT.bankReference,
};

/** What the wholesaler itself sees. */
type OwnStatement = Omit<Statement, 'wholesaler' | 'pendingComplements' | 'commissionInvoice'>;

export function presentStatement(statement: OwnStatement): t.AnswerOf<typeof statementAnswer> {
  return t.presentRow(statementAnswer, statement, ownFields(statement));
}

export function presentOpsStatement(statement: Statement): t.AnswerOf<typeof opsStatementAnswer> {
  return t.presentRow(opsStatementAnswer, statement, ownFields(statement));
}

const ownFields = (statement: OwnStatement) => ({
  statementId: statement.id,
  ...presentAmounts(statement),
  sha256: statement.sha256.toString('hex'),
});

/**
 * @param wholesalerId whose it must be; undefined for ops
 * @throws AppError STATEMENT_NOT_FOUND
 */
export async function requireStatement(
  db: Db,
  statementId: string,
  wholesalerId: string | undefined,
): Promise<Statement> {
  const statement = await queryRow<Statement>(
    db,
    `${SELECT_STATEMENT} WHERE s.id = $1 AND ($2::uuid IS NULL OR s.wholesaler_id = $2)`,
    [statementId, wholesalerId],
  );
  if (statement === undefined) throw new AppError('STATEMENT_NOT_FOUND');
  return statement;
}
