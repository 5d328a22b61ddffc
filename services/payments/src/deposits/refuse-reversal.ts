import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import { ReasonBody } from '@fiado/contracts/reason-body';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { depositAnswer, exampleDeposit, lockDeposit, presentDeposit } from './deposit';

export const refuseReversalEndpoint = endpoint({
  id: 'refuseReversal',
  as: 'deposits.refuseReversal',
  once: true,
  tag: 'Ops: payments',
  route: 'POST /v1/admin/deposits/:depositId/refuse-reversal',
  scope: 'approver',
  summary: 'Refuse the reversal of a deposit that its provider asked for',
  description:
    'The deposit stays as it is, and its provider reads the reason. To reverse it instead, use `reverseDeposit`, ' +
    'for which a second person is asked. While that waits, the request is not refused.',
  body: ReasonBody,
  bodyExample: { reason: 'The store got the goods' },
  errors: ['CHANGE_ALREADY_REQUESTED', 'DEPOSIT_NOT_FOUND', 'REVERSAL_REQUEST_NOT_FOUND'],
  answer: depositAnswer,
  example: exampleDeposit,
  input: ({ body, id, caller: by }) => ({
    reason: body.reason,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: ({ db }: Context, { depositId, reason, by }) =>
    db.transaction(async (tx) => {
      const deposit = await lockDeposit(tx, depositId);
      if (deposit === null) throw new AppError('DEPOSIT_NOT_FOUND');
      const [waiting] = await query<{ changeRequestId: string }>(
        tx,
        `SELECT change_request_id FROM waiting_changes WHERE target_id = $1 AND kind = 'deposit.reverse'`,
        [depositId],
      );
      if (waiting !== undefined)
        throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: waiting });
      const [open] = await query(
        tx,
        `UPDATE reversal_requests SET refused_at = now(), refused_by = $2, refusal = $3
          WHERE deposit_id = $1 AND refused_at IS NULL AND $4 RETURNING 1`,
        [depositId, by.id, reason, deposit.status !== 'reversed'],
      );
      if (open === undefined) throw new AppError('REVERSAL_REQUEST_NOT_FOUND');
      const entry = {
        action: 'deposit.reversal-refused',
        objectId: depositId,
        details: {},
      } as const;
      await audit(tx, by, entry);
      return deposit;
    }),
  present: presentDeposit,
});
