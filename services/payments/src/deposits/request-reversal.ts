import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { ReasonBody } from '@fiado/contracts/reason-body';
import { About } from '@fiado/contracts/about';
import { AppError } from '@fiado/contracts/errors';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import {
  exampleOwnDeposit,
  OWN_COLUMNS,
  type OwnDeposit,
  ownDeposit,
  presentOwnDeposit,
} from './own-deposit';

/** Requests of one provider in 24 hours: more than mistakes of a day, few enough for people to read. */
const MAX_REQUESTS_PER_DAY = 100;

class RequestReversalBody extends ReasonBody {
  @About('Why the deposit is wrong, for the people of the lender', 'Charged twice')
  declare reason: string;
}

export const requestReversalEndpoint = endpoint({
  id: 'requestReversal',
  as: 'payments.requestReversal',
  tag: 'Payments',
  route: 'POST /v1/customer-transaction/payment/deposits/:depositId/reversal-request',
  scope: 'deposits:write',
  summary: 'Ask the lender to reverse a deposit of yours',
  description:
    'For a deposit that was wrong: an amount, a double charge, a chargeback. It changes nothing by itself: two ' +
    'people of the lender decide. `reversalRequest` of `listOwnDeposits` shows the outcome, and so do the events ' +
    '`deposit.reversed` and `deposit.reversal-refused`. A deposit is asked for once: a second request answers the ' +
    'first one. The hundredth request in a day is the last.',
  body: RequestReversalBody,
  bodyExample: { reason: 'Charged twice' },
  errors: ['DEPOSIT_NOT_FOUND', 'SIGNATURE_NOT_VALID', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  signed: true,
  answer: ownDeposit,
  example: exampleOwnDeposit,
  input: ({ body, id, caller }) => ({
    reason: body.reason,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    paymentProviderId: caller.id,
  }),
  handle: requestReversal,
  present: presentOwnDeposit,
});

interface RequestReversal {
  paymentProviderId: string;
  depositId: string;
  reason: string;
}

/**
 * Notes that a provider wants a deposit of its own taken back. A person of the lender reverses the deposit,
 * for which a second one is asked, or refuses the request.
 * @throws AppError DEPOSIT_NOT_FOUND, also for a deposit of another provider; TOO_MANY_ATTEMPTS
 */
async function requestReversal(
  context: Context,
  { paymentProviderId, depositId, reason }: RequestReversal,
  answerOf: StoreAnswer<OwnDeposit>,
): Promise<OwnDeposit> {
  return answerInTransaction(context, answerOf, async (tx) => {
    const find = () =>
      queryRow<OwnDeposit>(
        tx,
        `SELECT ${OWN_COLUMNS} FROM deposits WHERE id = $1 AND payment_provider_id = $2`,
        [depositId, paymentProviderId],
      );
    const deposit = await find();
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    if (deposit.reversalRequest !== null || deposit.status === 'reversed') return deposit;
    await requireRequestsLeft(tx, paymentProviderId);
    await query(
      tx,
      `INSERT INTO reversal_requests (deposit_id, payment_provider_id, reason) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING`,
      [depositId, paymentProviderId, reason],
    );
    return (await find()) ?? deposit;
  });
}

/** Locks the provider, so that parallel requests share the limit. */
async function requireRequestsLeft(tx: Transaction, paymentProviderId: string): Promise<void> {
  await query(tx, `SELECT pg_advisory_xact_lock(hashtextextended('reversals ' || $1, 0))`, [
    paymentProviderId,
  ]);
  const { requests } = await queryOne<{ requests: number }>(
    tx,
    `SELECT count(*)::int AS requests FROM reversal_requests
      WHERE payment_provider_id = $1 AND requested_at > now() - interval '1 day'`,
    [paymentProviderId],
  );
  if (requests >= MAX_REQUESTS_PER_DAY) {
    throw limitOfADay('Too many reversals were asked for today');
  }
}
