import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { insertRow } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { countApiCheck } from '@fiado/chassis/verification/count-check';
import { notValidFields, verificationNotValid } from '@fiado/chassis/verification/not-valid';
import { approve, checkCode } from '@fiado/chassis/verification/verifications';
import { IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { fitsPhoneHold } from '../credit-lines/phone-hold.sql';
import { drawDeliveryWord } from '../deliveries/delivery-word';
import { awaitsConfirmation, isAbandoned, onHoldExpiry } from '../orders/order.rules';
import { ORDER_COLUMNS, type OrderOfCustomer, ORDERS_OF_CUSTOMERS } from '../orders/order.sql';

class ConfirmTransactionBody {
  /** The spec's name for the code. */
  @IsText(20)
  errorCode: string;
}

export const confirmTransactionEndpoint = endpoint({
  id: 'confirmTransaction',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'PUT /v1/transaction/:transactionId/verification/:verificationId',
  scope: 'transactions:write',
  summary: 'Confirm a transaction with its code',
  description:
    'The code is sent in the field `errorCode`. After twenty wrong codes for one corner ' +
    'store in a day the answer is `TOO_MANY_ATTEMPTS`.',
  body: ConfirmTransactionBody,
  bodyExample: { errorCode: '123456' },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'TRANSACTION_IS_VERIFIED',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  errorFields: { VERIFICATION_NOT_VALID: notValidFields },
  idempotent: true,
  answer: t.object('ConfirmedTransaction', {
    verificationId: t.uuid,
    verificationStatus: t.constant('approved'),
  }),
  example: { verificationId: EXAMPLE_IDS.verificationId, verificationStatus: 'approved' },
  input: ({ body, id, caller }) => ({
    code: body.errorCode,
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: confirmTransaction,
  present: ({ verificationId, verificationStatus }) => ({ verificationId, verificationStatus }),
});

interface ConfirmTransaction extends ConfirmationIds {
  code: string;
}

interface ConfirmedTransaction {
  verificationId: string;
  verificationStatus: 'approved';
}

/**
 * The store confirms its order with the code (confirmTransaction): the order is on hold from now
 * on, and the delivery word is sent. Of a store that may not buy now, order and code stay pending.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS after too many wrong codes
 */
export async function confirmTransaction(
  context: Context,
  { code, ...ids }: ConfirmTransaction,
  answerOf: StoreAnswer<ConfirmedTransaction>,
): Promise<ConfirmedTransaction> {
  const transaction = await requireUnconfirmed(context, ids);
  const salt = await checkCode(
    context.db,
    context.config,
    { ...ids, code },
    countApiCheck(context.db, transaction.cornerStoreId),
  );
  const confirmed = { verificationId: ids.verificationId, verificationStatus: 'approved' } as const;
  return confirmOnFreshTerms(context, { transaction, ids }, (order) =>
    answerInTransaction(context, answerOf, async (tx) => {
      await putOnHold(context, tx, { transaction: order, ids, salt });
      return confirmed;
    }),
  );
}

/**
 * The order of a verification, if it still waits for its code.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID
 */
export async function requireUnconfirmed(
  { db }: Context,
  ids: ConfirmationIds,
): Promise<OrderToConfirm> {
  const transaction = await findOrderToConfirm(db, ids);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.verificationId === null) throw new AppError('VERIFICATION_NOT_FOUND');
  if (isAbandoned(transaction.status)) throw verificationNotValid('cancelled');
  if (!awaitsConfirmation(transaction.status)) throw new AppError('TRANSACTION_IS_VERIFIED');
  if (transaction.codeIsVoid) throw verificationNotValid('expired');
  return transaction;
}

/** An order whose code was right. */
interface OrderToHold {
  transaction: OrderToConfirm;
  ids: ConfirmationIds;
  /** Of the code that was right. */
  salt: Buffer;
}

/**
 * Confirms an order in `work`'s database transaction. If its store may not buy, it calls accounts,
 * outside any database transaction, and tries once more with the order as it is then.
 * @param work calls putOnHold
 */
export async function confirmOnFreshTerms<Result>(
  context: Context,
  { transaction, ids }: { transaction: OrderToConfirm; ids: ConfirmationIds },
  work: (transaction: OrderToConfirm) => Promise<Result>,
): Promise<Result> {
  return work(transaction).catch(async (error: unknown) => {
    if (!(error instanceof MayNotBuyNow)) throw error;
    const { wholesalerId, cornerStoreId } = transaction;
    // accounts is unavailable: the local copy decides.
    await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [cornerStoreId] }).catch(
      () => {},
    );
    return work(await requireUnconfirmed(context, ids));
  });
}

/**
 * Puts an order on hold after its code was right, and sends the delivery word.
 * @throws AppError VERIFICATION_NOT_VALID when the code is no longer valid, or its store may not buy
 *   now; TRANSACTION_IS_VERIFIED
 */
export async function putOnHold(
  context: Context,
  tx: Transaction,
  { transaction, ids, salt }: OrderToHold,
): Promise<void> {
  const [line] = await query<{ mayBuy: boolean }>(tx, MOVE_TO_ON_HOLD, [
    transaction.id,
    onHoldExpiry(transaction.createdAt, transaction.deliveryDate),
  ]);
  if (line === undefined) throw await whyNotAny(tx, ids);
  const refusal = line.mayBuy
    ? !(await fitsPhoneHold(tx, transaction)) && 'phone-held'
    : 'store-not-eligible';
  if (refusal !== false) {
    throw new MayNotBuyNow(refusal, await checksLeftOf(tx, ids.verificationId));
  }
  await approve(tx, ids.verificationId, salt);
  if (transaction.deliveryWordEnabled) await issueWord(context, tx, transaction);
}

/** The order's row first, then its line: the same order of locks everywhere. */
const MOVE_TO_ON_HOLD = `
WITH moved AS (
  UPDATE transactions SET status = 'on-hold', version = version + 1, expires_at = $2
   WHERE id = $1 AND status = 'pending-verification' RETURNING corner_store_id
)
-- The lock waits for a rejection or a default that is being written, and then reads what it left.
SELECT line.status = 'approved' AND NOT line.overdue AS "mayBuy"
  FROM moved JOIN credit_lines line USING (corner_store_id) FOR NO KEY UPDATE OF line`;

/**
 * The store was rejected or is in default since its order was made, or its phone was changed and no
 * further order fits the hold. Order and code stay pending.
 */
class MayNotBuyNow extends AppError {
  constructor(reason: 'store-not-eligible' | 'phone-held', checksLeft: number) {
    super('VERIFICATION_NOT_VALID', { fields: { reason, checksLeft } });
  }
}

async function checksLeftOf(tx: Transaction, verificationId: string): Promise<number> {
  const { checks } = await queryOne<{ checks: number }>(
    tx,
    'SELECT checks FROM verifications WHERE id = $1',
    [verificationId],
  );
  return MAX_CHECKS - checks;
}

async function issueWord(
  context: Context,
  tx: Transaction,
  transaction: OrderToConfirm,
): Promise<void> {
  const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
  const { id: transactionId, phoneChanges } = transaction;
  await insertRow(tx, 'delivery_words', { transactionId, wordSealed, sends: 1, phoneChanges });
  await appendToOutbox(tx, jobs);
}

/** A concurrent request confirmed it, or it was cancelled or has expired. */
async function whyNotAny(tx: Transaction, ids: ConfirmationIds): Promise<AppError> {
  const now = await findOrderToConfirm(tx, ids);
  return now === undefined || isAbandoned(now.status)
    ? verificationNotValid('cancelled')
    : new AppError('TRANSACTION_IS_VERIFIED');
}

export interface ConfirmationIds {
  wholesalerId: string;
  transactionId: string;
  verificationId: string;
}

export interface OrderToConfirm extends OrderOfCustomer {
  createdAt: Date;
  deliveryDate: Date | null;
  deliveryWordEnabled: boolean;
  /** null when the order has no verification of the asked id. */
  verificationId: string | null;
  /** Whether the wholesaler changed the phone since the code was sent. */
  codeIsVoid: boolean;
}

/** A wholesaler's own order, and whether that verification is its. */
export function findOrderToConfirm(
  db: Db,
  { wholesalerId, transactionId, verificationId }: ConfirmationIds,
): Promise<OrderToConfirm | undefined> {
  return queryRow<OrderToConfirm>(
    db,
    `SELECT ${ORDER_COLUMNS}, t.created_at, t.delivery_date, wholesaler.delivery_word_enabled,
            verification.id AS "verificationId",
            coalesce(verification.phone_changes <> customer.phone_changes, false) AS "codeIsVoid"
       FROM ${ORDERS_OF_CUSTOMERS}
       LEFT JOIN verifications verification
         ON verification.transaction_id = t.id AND verification.id = $3
      WHERE t.id = $1 AND t.wholesaler_id = $2`,
    [transactionId, wholesalerId, verificationId],
  );
}
