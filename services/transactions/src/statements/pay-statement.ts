import { Matches } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { allowLongStatements, query, timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { DescribedAs } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { dayAfter } from '@fiado/contracts/clock';
import { IsBankReference, IsDateText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import {
  type Decision,
  exampleStatement,
  lastDayOf,
  opsStatementAnswer,
  presentOpsStatement,
  requireStatement,
  type Statement,
  statementFields,
} from './statement';
import { StatementRow } from './statement.entity';
import { StatementPaymentRow } from './statement-payment.entity';

@DescribedAs(statementFields)
class MarkStatementPaidBody extends AskedReasonBody {
  /** Reference of the transfer. */
  @IsBankReference()
  bankReference: string;

  /** Day of the transfer. */
  @IsDateText()
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'paidOn must be a day such as 2026-11-24' })
  paidOn: string;
}

export const markStatementPaidEndpoint = endpoint({
  id: 'markStatementPaid',
  as: 'statements.markPaid',
  tag: 'Ops: statements',
  route: 'POST /v1/admin/statements/:statementId/mark-paid',
  scope: 'approver',
  summary: 'Record that a statement was paid',
  description:
    'Waits for a second person, also for a key: 202. Without `FOUR_EYES` it is paid at once: 200. `bankReference` ' +
    'names one payment, however it is spaced and in either case, and also when the bank returned that one. `paidOn` is ' +
    'not before the last day of the period.',
  body: MarkStatementPaidBody,
  bodyExample: { bankReference: 'SPEI-20261124-12', paidOn: '2026-11-24' },
  mayWait: true,
  errors: [
    'STATEMENT_NOT_FOUND',
    'STATEMENT_NOT_PAYABLE',
    'BANK_REFERENCE_ALREADY_USED',
    'CHANGE_ALREADY_REQUESTED',
  ],
  answer: opsStatementAnswer,
  example: exampleStatement,
  input: ({ body, id, caller: by }, { config }: Context) => ({
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    bankReference: body.bankReference,
    paidOn: dayOf(body.paidOn, config.TIME_ZONE),
    reason: body.reason,
    by,
  }),
  // Records the payment of a statement, or asks for a second person.
  handle: async (context: Context, { statementId, by, reason, ...payment }) => {
    const { TIME_ZONE, FOUR_EYES } = context.config;
    return context.db.transaction(async (tx) => {
      const statement = await lockPayable(tx, statementId);
      const now = await timeOf(tx);
      if (payment.paidOn > dayAfter(now, TIME_ZONE).date) {
        throw new ValidationError(['paidOn must not be in the future']);
      }
      const lastDay = lastDayOf(statement, TIME_ZONE);
      if (payment.paidOn < lastDay) {
        throw new ValidationError([`paidOn must not be before ${lastDay}, where the period ends`]);
      }
      if (FOUR_EYES === 'off') {
        const paid = await payStatement(tx, statement, payment, {
          requestedBy: by.id,
          approvedBy: null,
        });
        await auditPayment(tx, by, 'statement.paid', paid);
        return paid;
      }
      await requireNewReference(tx, payment.bankReference);
      const { number, wholesalerId, dueCents } = statement;
      return requestChange(tx, {
        by,
        kind: 'statement.pay',
        targetId: statementId,
        payload: { ...payment, wholesalerId, number, amountCents: dueCents },
        before: { status: statement.status },
        reason,
      });
    });
  },
  present: presentOpsStatement,
});

function dayOf(text: string, timeZone: string): string {
  readDate('paidOn', text, timeZone);
  return text;
}

/** The transfer that paid a statement. */
export type StatementPayment = Pick<StatementPaymentRow, 'bankReference' | 'paidOn'>;

/**
 * Audits what one person does with the payment of a statement. Accounts itself audits a change that a
 * second person decides.
 */
export function auditPayment(
  tx: Transaction,
  by: Caller,
  action: 'statement.paid' | 'statement.returned',
  { id: objectId, wholesalerId, number, dueCents: amountCents, bankReference }: Statement,
): Promise<void> {
  const details = { wholesalerId, number, amountCents, bankReference };
  return audit(tx, by, { action, objectId, details });
}

/** @throws AppError STATEMENT_NOT_FOUND, STATEMENT_NOT_PAYABLE */
export async function lockPayable(tx: Transaction, statementId: string): Promise<Statement> {
  const statement = await lockStatement(tx, statementId);
  if (statement.status !== 'closed') throw new AppError('STATEMENT_NOT_PAYABLE');
  return statement;
}

/** @throws AppError STATEMENT_NOT_FOUND */
export async function lockStatement(tx: Transaction, statementId: string): Promise<Statement> {
  await query(tx, 'SELECT FROM statements WHERE id = $1 FOR UPDATE', [statementId]);
  return requireStatement(tx, statementId, undefined);
}

async function requireNewReference(tx: Transaction, bankReference: string): Promise<void> {
  const payment = { bankReferenceKey: bankReferenceKey(bankReference) };
  if (await tx.manager.existsBy(StatementPaymentRow, payment))
    throw new AppError('BANK_REFERENCE_ALREADY_USED');
}

/**
 * Pays a locked statement.
 * @throws AppError BANK_REFERENCE_ALREADY_USED
 */
export async function payStatement(
  tx: Transaction,
  { id, dueCents }: Statement,
  { bankReference, paidOn }: StatementPayment,
  { requestedBy, approvedBy }: Decision,
): Promise<Statement> {
  await query(
    tx,
    `INSERT INTO statement_payments
       (statement_id, number, bank_reference, bank_reference_key, paid_on, cents, paid_by,
        approved_by)
     SELECT $1, (SELECT count(*) FROM statement_payments WHERE statement_id = $1) + 1,
            $2, $3, $4, $5, $6, $7`,
    [id, bankReference, bankReferenceKey(bankReference), paidOn, dueCents, requestedBy, approvedBy],
  ).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'statement_payments_reference')) throw error;
    throw new AppError('BANK_REFERENCE_ALREADY_USED');
  });
  // A trigger writes a row for each invoice in somebody's name: hundreds of thousands take some seconds.
  await allowLongStatements(tx);
  await tx.manager.update(StatementRow, id, {
    status: 'paid',
    version: () => 'version + 1',
  });
  return requireStatement(tx, id, undefined);
}

/** A reference however it is spaced, and in either case. */
function bankReferenceKey(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}
