import { IsOptional, IsString } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { codeOf, newCodeSaltFor } from '@fiado/chassis/verification/code';
import { IsMetadata } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { amountOf } from '@fiado/contracts/money';
import { newId, requireId } from '@fiado/contracts/new-id';
import { maskPhone } from '@fiado/contracts/phone';
import { CODE_LIFE_MS } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { fitsPhoneHold } from '../credit-lines/phone-hold.sql';
import { countAccepted, countRefusal } from '../metrics';
import { holdOrders, type HoldOutcome, isOrderIdTaken, type OrderToHold } from './hold.sql';
import { exampleOrder, OrderBody, orderOf } from './order-body';
import { orderNumber } from './order-view';
import type { NewOrder, NewVerification, Order } from './order.rules';
import { priceOrder } from './price-order';
import {
  type CreditTerms,
  isPhoneHeld,
  mayChangeAfterRefresh,
  ORDER_REASONS,
  type Refusal,
  refusalsOf,
  roomOf,
} from './refusal.rules';

export class CreateTransactionBody extends OrderBody {
  @IsString()
  cornerStoreId: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

export const createTransactionEndpoint = endpoint({
  id: 'createTransaction',
  as: 'transactions.create',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction',
  scope: 'transactions:write',
  names: { cornerStoreId: 'corner-store' },
  summary: 'Create a transaction',
  description:
    'Holds the credit and sends a code to the customer’s phone. `deliveryDate` as a date alone ' +
    'means the end of that day in Mexico City; it may be at most a year ahead.',
  body: CreateTransactionBody,
  bodyExample: exampleOrder,
  errors: ORDER_REASONS,
  idempotent: true,
  status: 201,
  hasLocation: true,
  answer: t.object('CreatedTransaction', {
    incrementalID: orderNumber,
    transactionId: fields.transactionId,
    verificationId: fields.verificationId,
    userPhoneNumber: t.field(
      t.text,
      'Phone number that the code was sent to. Masked except the last four digits',
      '********0101',
    ),
  }),
  input: ({ body, caller }, { config }: Context) => ({
    ...orderOf(body, config.TIME_ZONE),
    wholesalerId: caller.id,
    cornerStoreId: body.cornerStoreId,
    sendCode: 'now' as const,
  }),
  handle: async (
    context: Context,
    { cornerStoreId, ...order },
    answerOf: StoreAnswer<CreatedOrder>,
  ) => {
    // Not earlier, because an order for an unknown store counts as a refusal too.
    const id = requireId(cornerStoreId, 'CORNER_STORE_NOT_FOUND');
    return createOrder(context, { ...order, cornerStoreId: id }, answerOf);
  },
  onError: countRefusal('order'),
  headers: (created) => ({ Location: `/v1/transaction/${created.transactionId}` }),
  present: (created) => ({
    incrementalID: created.incrementalId,
    transactionId: created.transactionId,
    verificationId: created.verificationId,
    userPhoneNumber: created.userPhoneNumber,
  }),
});

export interface CreateOrder extends Order {
  wholesalerId: string;
  /**
   * Whether the code goes out at once (createTransaction) or when the order's page is opened
   * (createTransactionLink).
   */
  sendCode: 'now' | 'when-opened';
}

export interface CreatedOrder {
  incrementalId: number;
  transactionId: string;
  verificationId: string;
  /** Masked: only the last digits are visible. */
  userPhoneNumber: string;
}

/** Attempts after the call to accounts: concurrent orders may use the credit each time. */
const MAX_TRIES = 3;

/**
 * A corner store buys on credit (createTransaction): checks, holds the credit, writes the order and
 * sends the code, in two round trips. Accepts from the local copy; refuses only after a call to
 * accounts.
 * @throws AppError the refusal, in the order of createTransaction's checks; DUPLICATED_TRANSACTION;
 *   SERVICE_UNAVAILABLE when accounts is unavailable and nothing is known of the store
 */
export async function createOrder(
  context: Context,
  command: CreateOrder,
  answerOf: StoreAnswer<CreatedOrder>,
): Promise<CreatedOrder> {
  const first = await attempt(context, command, answerOf);
  if (first.created !== undefined) return first.created;
  if (!mayChangeAfterRefresh(first.refusal)) throw refusedOrder(context, command, first);

  await refreshCreditTerms(context, {
    wholesalerId: command.wholesalerId,
    cornerStoreIds: [command.cornerStoreId],
  }).catch((error: unknown) => {
    // accounts is unavailable: the local copy decides, if it has the store.
    if (first.refusal === 'CORNER_STORE_NOT_FOUND') throw error;
  });
  for (let tries = 1; ; tries += 1) {
    const again = await attempt(context, command, answerOf);
    if (again.created !== undefined) return again.created;
    // Lost a race with another order: on a second check it may still fit.
    if (!again.raced || tries === MAX_TRIES) throw refusedOrder(context, command, again);
  }
}

interface RefusedAttempt {
  created?: undefined;
  refusal: Refusal;
  raced: boolean;
  /** The terms that it was decided on; undefined when the wholesaler has no such customer. */
  terms?: CreditTerms;
}

type Attempt = { created: CreatedOrder; refusal?: undefined } | RefusedAttempt;

/** The refusal. If a smaller or a larger order would be accepted, it names the amount. */
function refusedOrder(
  { config }: Context,
  { amountCents }: CreateOrder,
  { refusal, terms }: RefusedAttempt,
): AppError {
  if (terms === undefined) return new AppError(refusal);
  if (refusal === 'MINIMAL_TRANSACTION_REQUIRED') {
    const fields = { minimumAmount: amountOf(terms.minimumTransactionCents) };
    return new AppError(refusal, {
      fields,
      amounts: { askedAmount: amountOf(amountCents), ...fields },
    });
  }
  if (refusal !== 'CREDIT_LIMIT_EXCEEDED') return new AppError(refusal);
  const { availableCents, maximumCents } = roomOf(terms, config.TIME_ZONE);
  return new AppError(refusal, {
    amounts: { askedAmount: amountOf(amountCents), availableAmount: amountOf(availableCents) },
    // If another order has used the credit since it was read, the remaining credit is unknown.
    fields: maximumCents < amountCents ? { maximumAmount: amountOf(maximumCents) } : {},
  });
}

async function attempt(
  context: Context,
  command: CreateOrder,
  answerOf: StoreAnswer<CreatedOrder>,
): Promise<Attempt> {
  const { sendCode, ...ordered } = command;
  const terms = await context.lanes.terms.add(command);
  const [refusal] = refusalsOf(terms, command, context.config.TIME_ZONE);
  if (terms === undefined) return { refusal: refusal ?? 'CORNER_STORE_NOT_FOUND', raced: false };
  if (refusal !== undefined) return { refusal, raced: false, terms };

  const status = terms.confirmationRequired ? 'pending-verification' : 'on-hold';
  const linked = sendCode === 'when-opened';
  const { order: priced, jobs } = priceOrder(
    context,
    { ...ordered, status, linked },
    terms,
    terms.incrementalId,
  );
  const phone = context.sealer.open(terms.phoneSealed, PHONE_PURPOSE, priced.cornerStoreId);
  const codeSalt = newCodeSaltFor(context.config, phone);
  const order = { ...priced, ...newVerification(terms, { sendCode, codeSalt }) };
  if (order.codeSends > 0) {
    jobs.push(...codeMessage(context, order, { phone, terms }));
  }
  const created: CreatedOrder = {
    incrementalId: order.incrementalId,
    transactionId: order.id,
    verificationId: order.verificationId,
    userPhoneNumber: maskPhone(phone),
  };
  const toHold: OrderToHold = { order, jobs, answer: answerOf(created) };
  const held = isPhoneHeld(terms)
    ? holdDuringPhoneHold(context, toHold)
    : context.lanes.holds.add(toHold);
  const outcome = await held.catch((error: unknown) => {
    if (!isOrderIdTaken(error)) throw error;
    return 'duplicate' as const;
  });
  if (outcome === 'duplicate') throw new AppError('DUPLICATED_TRANSACTION');
  if (outcome === 'unproven') return { refusal: 'USER_IS_IN_INTERNAL_VALIDATION', raced: true };
  // Between the check and the hold, another order used the credit, or the terms changed.
  if (outcome === 'no-credit') return { refusal: 'CREDIT_LIMIT_EXCEEDED', raced: true, terms };

  context.relay.wake();
  countAccepted(linked ? 'link' : 'order');
  return { created };
}

/**
 * Holds an order during a phone hold, in a database transaction that locks the line first: parallel orders share the
 * amount that the hold allows.
 * @returns unproven: too little of that amount is left
 */
function holdDuringPhoneHold(
  { db }: Context,
  toHold: OrderToHold,
): Promise<HoldOutcome | 'unproven'> {
  return db.transaction(async (tx) => {
    const fits = await fitsPhoneHold(tx, { ...toHold.order, isPhoneHeld: true });
    return fits ? holdOrders.one(tx, toHold) : 'unproven';
  });
}

function newVerification(
  { confirmationRequired, now }: CreditTerms,
  { sendCode, codeSalt }: Pick<CreateOrder, 'sendCode'> & { codeSalt: Buffer },
): NewVerification {
  const sendNow = confirmationRequired && sendCode === 'now';
  return {
    verificationId: newId(),
    verificationStatus: confirmationRequired ? 'pending' : 'approved',
    codeSalt: codeSalt.toString('base64'),
    codeSends: sendNow ? 1 : 0,
    codeExpiresAt: sendNow ? new Date(now.getTime() + CODE_LIFE_MS) : now,
  };
}

/** The message with the code that confirms the order. */
function codeMessage(
  { config, sealer }: Context,
  order: NewOrder & NewVerification,
  { phone, terms }: { phone: string; terms: CreditTerms },
): OutboxRow[] {
  const salt = Buffer.from(order.codeSalt, 'base64');
  const code = codeOf(config.CODE_PEPPER, order.verificationId, salt);
  return smsRows(sealer, {
    template: 'order-code',
    phone,
    unprovenBy: terms.phoneUnprovenBy,
    values: { code, amountCents: order.amountCents, wholesaler: terms.wholesalerName },
    wholesalerId: order.wholesalerId,
    subjectId: order.id,
    verificationId: order.verificationId,
    expiresAt: order.codeExpiresAt,
  });
}
