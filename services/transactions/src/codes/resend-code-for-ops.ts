import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { codeResending, resendCode } from './resend-code';

export const resendOrderCodeEndpoint = endpoint({
  ...codeResending,
  id: 'resendOrderCode',
  as: 'transactions.resendCode',
  once: true,
  tag: 'Ops: transactions',
  route: 'POST /v1/admin/transactions/:transactionId/resend-code',
  scope: 'operator',
  summary: 'Send the code of a transaction again, for its customer',
  description:
    'As `resendTransactionCode` of its wholesaler: the same limits of messages hold, and it is audited.',
  input: ({ id, caller: by }) => ({
    by,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  // Ops sends the code of an order again, such as for a store that calls and has no SMS.
  handle: async (context: Context, { by, transactionId }) => {
    const ids = await findCodeOf(context.db, transactionId);
    if (ids === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const { wholesalerId, verificationId } = ids;
    if (verificationId === null) throw new AppError('VERIFICATION_NOT_FOUND');
    return resendCode(
      context,
      { wholesalerId, transactionId, verificationId, by },
      () => undefined,
    );
  },
});

function findCodeOf(
  db: Db,
  transactionId: string,
): Promise<{ wholesalerId: string; verificationId: string | null } | undefined> {
  return queryRow(
    db,
    `SELECT t.wholesaler_id, v.id AS "verificationId"
       FROM transactions t LEFT JOIN verifications v ON v.transaction_id = t.id
      WHERE t.id = $1 ORDER BY v.created_at DESC NULLS LAST LIMIT 1`,
    [transactionId],
  );
}
