import type { Transaction } from '@fiado/chassis/db/database';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { ReasonBody } from '@fiado/contracts/reason-body';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { auditPayment, lockStatement } from './pay-statement';
import {
  opsStatementAnswer,
  presentOpsStatement,
  requireStatement,
  type Statement,
} from './statement';
import { StatementRow } from './statement.entity';
import { StatementPaymentRow } from './statement-payment.entity';
import { IsNull } from '@fiado/chassis/db/typeorm';

export const markStatementReturnedEndpoint = endpoint({
  id: 'markStatementReturned',
  as: 'statements.markReturned',
  tag: 'Ops: statements',
  route: 'POST /v1/admin/statements/:statementId/mark-returned',
  scope: 'approver',
  summary: 'Record that the bank returned the payment of a statement',
  description:
    'The statement is `closed` again, and is paid with another reference. Waits for a second person, ' +
    'also for a key: 202. Without `FOUR_EYES` it is made at once: 200.',
  body: ReasonBody,
  bodyExample: { reason: 'CLABE con un dígito equivocado' },
  mayWait: true,
  errors: ['STATEMENT_NOT_FOUND', 'STATEMENT_IS_NOT_PAID', 'CHANGE_ALREADY_REQUESTED'],
  answer: opsStatementAnswer,
  example: {
    paidAt: null,
    paidOn: null,
    bankReference: null,
  },
  input: ({ body, id, caller: by }) => ({
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    reason: body.reason,
    by,
  }),
  handle: async (context: Context, { statementId, reason, by }) =>
    context.db.transaction(async (tx) => {
      const statement = await lockPaid(tx, statementId);
      if (context.config.FOUR_EYES === 'off') {
        // With the reference of the payment, which the returned statement no longer has.
        await auditPayment(tx, by, 'statement.returned', statement);
        return returnPayment(tx, statement, reason);
      }
      const { wholesalerId, number, dueCents, bankReference } = statement;
      return requestChange(tx, {
        by,
        kind: 'statement.return',
        targetId: statementId,
        payload: { wholesalerId, number, amountCents: dueCents, bankReference, reason },
        before: { status: statement.status },
        reason,
      });
    }),
  present: presentOpsStatement,
});

/** One with nothing due is paid without a payment. @throws AppError STATEMENT_NOT_FOUND, STATEMENT_IS_NOT_PAID */
export async function lockPaid(tx: Transaction, statementId: string): Promise<Statement> {
  const statement = await lockStatement(tx, statementId);
  if (statement.paidAt === null) throw new AppError('STATEMENT_IS_NOT_PAID');
  return statement;
}

/** Returns the live payment of a locked statement. */
export async function returnPayment(
  tx: Transaction,
  { id }: Statement,
  reason: string,
): Promise<Statement> {
  const live = { statementId: id, returnedAt: IsNull() };
  await tx.manager.update(StatementPaymentRow, live, {
    returnedAt: () => 'now()',
    returnReason: reason,
  });
  await tx.manager.update(StatementRow, id, {
    status: 'closed',
    version: () => 'version + 1',
  });
  return requireStatement(tx, id, undefined);
}
