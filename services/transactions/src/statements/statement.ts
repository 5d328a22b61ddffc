import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import * as t from '@fiado/chassis/openapi/json-schema';
import { dayAfter } from '@fiado/contracts/clock';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_STATEMENT } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import type { StatementTotals } from './settlement.rules';

export const STATEMENT_STATUSES = ['closed', 'paid'] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

/** A row of statements, with its live payment. */
export interface Statement extends StatementTotals {
  id: string;
  wholesalerId: string;
  wholesaler: string;
  number: number;
  periodFrom: Date;
  periodTo: Date;
  status: StatementStatus;
  lines: number;
  sha256: Buffer;
  closedAt: Date;
  version: number;
  paidAt: Date | null;
  /** Such as 2026-11-24. */
  paidOn: string | null;
  bankReference: string | null;
}

/** Statements with the columns of Statement; a WHERE may follow. */
export const SELECT_STATEMENT = `
  SELECT s.*, w.name AS wholesaler, p.recorded_at AS "paidAt", p.paid_on::text AS "paidOn",
         p.bank_reference
    FROM statements s JOIN wholesalers w USING (wholesaler_id)
    LEFT JOIN statement_payments p ON p.statement_id = s.id AND p.returned_at IS NULL`;

/** The last day of the period of a statement, such as 2026-11-22; its end belongs to the next one. */
export function lastDayOf({ periodTo }: Pick<Statement, 'periodTo'>, timeZone: string): string {
  return dayAfter(new Date(periodTo.getTime() - 1), timeZone).date;
}

/** Amounts of a statement and of a draft. */
export const amountFields = {
  grossAmount: t.pesos,
  commission: t.pesos,
  commissionIVA: t.pesos,
  openingBalance: t.pesos,
  netAmount: t.pesos,
  amountDue: t.pesos,
};

export const presentAmounts = (totals: StatementTotals) => ({
  grossAmount: amountOf(totals.grossCents),
  commission: amountOf(totals.commissionCents),
  commissionIVA: amountOf(totals.commissionIvaCents),
  openingBalance: amountOf(totals.openingCents),
  netAmount: amountOf(totals.netCents),
  amountDue: amountOf(totals.dueCents),
});

const statementFields = {
  statementId: t.uuid,
  number: t.count,
  periodFrom: t.timestamp,
  periodTo: t.timestamp,
  status: t.oneOf(STATEMENT_STATUSES),
  lines: t.count,
  ...amountFields,
  sha256: t.text,
  closedAt: t.timestamp,
  paidAt: t.nullable(t.timestamp),
  paidOn: t.nullable(t.text),
  bankReference: t.nullable(t.text),
};

export const statementAnswer = t.object('Statement', statementFields);

export const opsStatementAnswer = t.object('OpsStatement', {
  wholesalerId: t.uuid,
  wholesaler: t.text,
  ...statementFields,
});

export const exampleStatement: t.AnswerOf<typeof statementAnswer> = EXAMPLE_STATEMENT;

export const exampleOpsStatement: t.AnswerOf<typeof opsStatementAnswer> = {
  wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  wholesaler: 'Abarrotes del Norte',
  ...exampleStatement,
};

export function presentStatement(
  statement: Omit<Statement, 'wholesaler'>,
): t.AnswerOf<typeof statementAnswer> {
  return t.presentRow(statementAnswer, statement, ownFields(statement));
}

export function presentOpsStatement(statement: Statement): t.AnswerOf<typeof opsStatementAnswer> {
  return t.presentRow(opsStatementAnswer, statement, ownFields(statement));
}

const ownFields = (statement: Omit<Statement, 'wholesaler'>) => ({
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
    [statementId, wholesalerId ?? null],
  );
  if (statement === undefined) throw new AppError('STATEMENT_NOT_FOUND');
  return statement;
}

/** The lock of a wholesaler's statements: what is closed, and what the next one opens with. */
export interface SettlementHead {
  lastNumber: number;
  closedUntil: Date;
  carriedCents: number;
}
