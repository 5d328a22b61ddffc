import { endpoint } from '@fiado/chassis/http/endpoint';
import type { StoreAnswer, StoredAnswer } from '@fiado/chassis/idempotency';
import { type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  checksLeftOf,
  notValidFields,
  verificationNotValid,
  whyNotValid,
} from '@fiado/chassis/verification/not-valid';
import {
  checkCode,
  type CodeCheck,
  type CountCheck,
} from '@fiado/chassis/verification/verifications';
import { About } from '@fiado/contracts/about';
import { IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { phoneProved } from '@fiado/contracts/jobs/phones';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { fitsPhoneHold } from '../credit-lines/phone-hold.sql';
import { drawDeliveryWord } from '../deliveries/delivery-word';
import { awaitsConfirmation, isAbandoned, onHoldExpiry } from '../orders/order.rules';
import { confirmOrders, type ConfirmOutcome, type OrderToConfirm } from './confirm-orders.sql';
import type { ConfirmationIds, OrderOfVerification } from './orders-of-verifications.sql';

/** A code has six digits, however they are grouped. */
const MAX_CODE = 100;

class ConfirmTransactionBody {
  @About(
    'The code that the corner store read in the SMS: six digits. The contract gives it this name',
    '483920',
  )
  @IsText(MAX_CODE)
  errorCode: string;
}

export const confirmTransactionEndpoint = endpoint({
  id: 'confirmTransaction',
  as: 'transactions.confirm',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'PUT /v1/transaction/:transactionId/verification/:verificationId',
  scope: 'transactions:write',
  names: { transactionId: 'order', verificationId: 'order-code' },
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
    verificationId: fields.verificationId,
    verificationStatus: t.field(t.constant('approved'), 'State of the verification', 'approved'),
  }),
  input: ({ body, id, caller }) => ({
    code: body.errorCode,
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: confirmOrder,
  present: ({ verificationId, verificationStatus }) => ({ verificationId, verificationStatus }),
});

interface ConfirmOrder extends ConfirmationIds {
  code: string;
}

interface ConfirmedOrder {
  verificationId: string;
  verificationStatus: 'approved';
}

/**
 * The store confirms its order with the code (confirmTransaction): the order is on hold from now
 * on, and the delivery word is sent. Of a store that may not buy now, order and code stay pending.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS after too many wrong codes
 */
export async function confirmOrder(
  context: Context,
  { code, ...ids }: ConfirmOrder,
  answerOf: StoreAnswer<ConfirmedOrder>,
): Promise<ConfirmedOrder> {
  const order = await requireUnconfirmed(context, ids);
  const { cornerStoreId, codeSalt: salt } = order;
  // Counted and committed before anything else, so that parallel guesses share the checks.
  await checkOrderCode(context, { ...ids, cornerStoreId, salt, code }, (check) =>
    context.lanes.codeChecks.add(check),
  );
  const confirmed = { verificationId: ids.verificationId, verificationStatus: 'approved' } as const;
  await confirmOnFreshTerms(context, { order, ids, salt, answer: answerOf(confirmed) });
  return confirmed;
}

/**
 * Checks the code of an order (checkCode).
 * @throws AppError TRANSACTION_IS_VERIFIED when a parallel request has confirmed the order meanwhile;
 *   VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS
 */
export async function checkOrderCode(
  { db, config }: Context,
  check: CodeCheck,
  countCheck: CountCheck,
): Promise<void> {
  await checkCode(db, config, check, countCheck).catch((error: unknown) => {
    const isVerified = error instanceof AppError && error.fields.reason === 'approved';
    throw isVerified ? new AppError('TRANSACTION_IS_VERIFIED') : error;
  });
}

/**
 * The order of a verification, if it still waits for its code.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID
 */
export async function requireUnconfirmed(
  { lanes }: Context,
  ids: ConfirmationIds,
): Promise<UnconfirmedOrder> {
  const order = await lanes.verifications.add(ids);
  if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  const { codeSalt } = order;
  if (codeSalt === null) throw new AppError('VERIFICATION_NOT_FOUND');
  if (isAbandoned(order.status)) throw verificationNotValid('cancelled');
  if (!awaitsConfirmation(order.status)) throw new AppError('TRANSACTION_IS_VERIFIED');
  if (order.codeIsVoid) throw verificationNotValid('expired');
  return { ...order, codeSalt };
}

type UnconfirmedOrder = OrderOfVerification & { codeSalt: Buffer };

/** An order whose code was right. */
interface RightCode {
  order: OrderOfVerification;
  ids: ConfirmationIds;
  /** The salt of the code that was right. */
  salt: Buffer;
  /** The answer to store. */
  answer: StoredAnswer | undefined;
}

/**
 * Puts an order on hold after its code was right, and sends the delivery word. If its store may not
 * buy, it calls accounts and tries once more with the order as it is then.
 * @throws AppError VERIFICATION_NOT_VALID when the code is no longer valid, or its store may not buy
 *   now; TRANSACTION_IS_VERIFIED
 */
export async function confirmOnFreshTerms(context: Context, rightCode: RightCode): Promise<void> {
  const { order, ids } = rightCode;
  await putOnHold(context, rightCode).catch(async (error: unknown) => {
    if (!(error instanceof MayNotBuyNow)) throw error;
    const { wholesalerId, cornerStoreId } = order;
    // accounts is unavailable: the local copy decides.
    await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [cornerStoreId] }).catch(
      () => {},
    );
    await putOnHold(context, { ...rightCode, order: await requireUnconfirmed(context, ids) });
  });
  context.relay.wake();
}

async function putOnHold(context: Context, { order, ids, salt, answer }: RightCode): Promise<void> {
  const { verificationId } = ids;
  const word = order.deliveryWordEnabled ? drawDeliveryWord(context, order) : undefined;
  const toConfirm: OrderToConfirm = {
    id: order.id,
    wholesalerId: order.wholesalerId,
    verificationId,
    codeSalt: salt,
    expiresAt: onHoldExpiry(order.createdAt, order.deliveryDate),
    wordSealed: word?.wordSealed,
    phoneChanges: order.phoneChanges,
    jobs: [...(word?.jobs ?? []), ...provedPhone(context, order)],
    answer,
  };
  const outcome = order.isPhoneHeld
    ? await confirmDuringPhoneHold(context, order, toConfirm)
    : await context.lanes.confirmations.add(toConfirm);
  if (outcome === 'not-pending') throw await whyNotAny(context, ids);
  if (outcome === 'may-not-buy') {
    throw new MayNotBuyNow('store-not-eligible', await checksLeftOf(context.db, verificationId));
  }
  if (outcome === 'code-not-valid') throw await whyNotValid(context.db, verificationId, salt);
}

/**
 * Tells accounts that a right code has proved a phone. Only of the wholesaler that set the phone last: another one's
 * code may have gone to the number before.
 */
function provedPhone(
  { sealer }: Context,
  { wholesalerId, cornerStoreId, phoneSealed, phoneUnprovenBy }: OrderOfVerification,
): OutboxRow[] {
  if (phoneUnprovenBy !== wholesalerId) return [];
  const phone = sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId);
  const phoneIndex = sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64');
  return outboxRows(phoneProved, { id: newId(), version: 1 }, { phoneIndex });
}

/**
 * Confirms an order while its wholesaler is held, in a database transaction that locks the line:
 * parallel orders share what the hold leaves.
 * @throws AppError VERIFICATION_NOT_VALID if the order does not fit the hold
 */
function confirmDuringPhoneHold(
  { db }: Context,
  order: OrderOfVerification,
  toConfirm: OrderToConfirm,
): Promise<ConfirmOutcome> {
  return db.transaction(async (tx) => {
    const outcome = await confirmOrders.one(tx, toConfirm);
    if (outcome === 'not-pending' || outcome === 'may-not-buy') return outcome;
    if (await fitsPhoneHold(tx, order)) return outcome;
    throw new MayNotBuyNow('phone-held', await checksLeftOf(tx, toConfirm.verificationId));
  });
}

/**
 * The store was rejected or is in default since its order was made, or its phone was changed and no
 * further order fits the hold. Order and code stay pending.
 */
class MayNotBuyNow extends AppError {
  constructor(reason: 'store-not-eligible' | 'phone-held', checksLeft: number) {
    super('VERIFICATION_NOT_VALID', { fields: { reason, checksLeft } });
  }
}

/** A concurrent request confirmed it, or it was cancelled or has expired. */
async function whyNotAny({ lanes }: Context, ids: ConfirmationIds): Promise<AppError> {
  const now = await lanes.verifications.add(ids);
  return now === undefined || isAbandoned(now.status)
    ? verificationNotValid('cancelled')
    : new AppError('TRANSACTION_IS_VERIFIED');
}
