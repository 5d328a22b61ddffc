import { Equals, IsLatitude, IsLongitude, IsNumber, IsOptional } from 'class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import { IsPositiveAmount, IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { transactionDelivered } from '@fiado/contracts/jobs/debts';
import { amountOf, centsOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { lockPhoneHold } from '../credit-lines/phone-hold.sql';
import { LOCATION_PURPOSE } from '../orders/order.rules';
import { requireOnHold, type OrderWithTerms } from '../orders/order.sql';
import { paymentDue, type Price, priceOf } from '../orders/pricing.rules';
import { MAX_HELD_CENTS } from '../orders/refusal.rules';
import { checkDeliveryWord } from './delivery-word';
import { deliverOrders, type DeliveryOutcome, type OrderToDeliver } from './deliver-orders.sql';
import { deliverableCents } from './delivery.rules';

class DeliverTransactionBody {
  @About('Always `delivery`')
  @Equals('delivery', { message: 'status must be delivery' })
  status: string;

  @About(
    'Price of the delivered goods, without interest and IVA; interest and IVA are computed anew from it',
    480,
  )
  @IsPositiveAmount()
  transactionAmount: number;

  @About('The word that the corner store received by SMS and tells the driver', 'girasol')
  @IsOptional()
  @IsText(50)
  deliveryWord?: string;

  @About('Where the goods were handed over, degrees north', 19.4326)
  @IsOptional()
  @IsNumber()
  @IsLatitude()
  latitude?: number;

  @About('Where the goods were handed over, degrees east', -99.1332)
  @IsOptional()
  @IsNumber()
  @IsLongitude()
  longitude?: number;

  @About('A note on the place', 'Mostrador')
  @IsOptional()
  @IsText(500)
  description?: string;
}

export const deliverTransactionEndpoint = endpoint({
  id: 'deliverTransaction',
  as: 'transactions.deliver',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'PUT /v1/transaction/:transactionId',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Notify the delivery',
  description:
    'Books the debt on `transactionAmount`: commission, interest and IVA are calculated from it. It may exceed the confirmed amount ' +
    'by at most the overage rate that the order was made with, and only while the corner store may buy. Checks, in this order: the transaction exists, is ' +
    '`on-hold`, the amount is present, then all others. Every fifth ' +
    'wrong `deliveryWord` replaces the word and sends the new one to the customer; after twenty wrong ones ' +
    'the answer is `TOO_MANY_ATTEMPTS` until the lender resets them.',
  body: DeliverTransactionBody,
  bodyExample: { status: 'delivery', transactionAmount: 480.5, deliveryWord: 'LimonTambor' },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_IS_NOT_IN_HOLD',
    'TRANSACTION_AMOUNT_NOT_FOUND',
    'TRANSACTION_AMOUNT_NOT_ALLOWED',
    'CREDIT_LIMIT_EXCEEDED',
    'DELIVERY_WORD_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.success,
  example: { success: true },
  input: (request) => ({
    wholesalerId: request.caller.id,
    transactionId: request.id('transactionId', 'TRANSACTION_NOT_FOUND'),
    readDelivery: () => {
      requireAmount(request.json);
      return deliveryOf(request.body);
    },
  }),
  handle: deliverTransaction,
  present: () => ({ success: true }),
});

function requireAmount(json: unknown): void {
  const amount =
    typeof json === 'object' && json !== null && 'transactionAmount' in json
      ? json.transactionAmount
      : undefined;
  if (amount === undefined || amount === null) throw new AppError('TRANSACTION_AMOUNT_NOT_FOUND');
}

function deliveryOf({
  transactionAmount,
  deliveryWord,
  latitude,
  longitude,
  description,
}: DeliverTransactionBody): Delivery {
  const location = {
    ...(latitude === undefined ? {} : { latitude }),
    ...(longitude === undefined ? {} : { longitude }),
    ...(description === undefined ? {} : { description }),
  };
  return {
    amountCents: centsOf(transactionAmount),
    deliveryWord,
    location: Object.keys(location).length === 0 ? undefined : location,
  };
}

interface DeliverTransaction {
  wholesalerId: string;
  transactionId: string;
  /** Reads and checks the delivery: called once the order is known to be on hold. */
  readDelivery: () => Delivery;
}

interface Delivery {
  amountCents: number;
  deliveryWord: string | undefined;
  location: { latitude?: number; longitude?: number; description?: string } | undefined;
}

/** Readings of an order that changes meanwhile, such as at midnight, when its day to pay is another. */
const MAX_TRIES = 3;

/**
 * Records a delivery (deliverTransaction): sets the final amount, books the debt, and recalculates
 * commission, interests and IVA from that amount. All terms are those that the order was made with.
 * @throws what readDelivery throws
 */
export async function deliverTransaction(
  context: Context,
  command: DeliverTransaction,
  answerOf: StoreAnswer<void>,
): Promise<void> {
  const { wholesalerId, transactionId, readDelivery } = command;
  const transaction = await requireOnHold(context, command);
  const delivery = readDelivery();
  const { deliveryWord } = delivery;
  if (deliveryWord !== undefined) await checkDeliveryWord(context, command, deliveryWord);
  else if (transaction.deliveryWordRequired) throw new AppError('DELIVERY_WORD_NOT_VALID');

  const deliver = async (read: OrderWithTerms): Promise<void> => {
    let order = read;
    for (let tries = 1; ; tries += 1) {
      const toDeliver = { ...bookingOf(context, order, delivery), answer: answerOf() };
      const outcome = await book(context, order, toDeliver);
      if (outcome === 'delivered') return;
      if (outcome === 'no-credit') throw new AppError('CREDIT_LIMIT_EXCEEDED');
      order = await requireOnHold(context, { wholesalerId, transactionId });
      if (tries === MAX_TRIES) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    }
  };
  await deliver(transaction).catch(async (error: unknown) => {
    if (!isBeyondCredit(error)) throw error;
    // The limit may have been raised just now: call accounts before a refusal.
    await refreshCreditTerms(context, {
      wholesalerId,
      cornerStoreIds: [transaction.cornerStoreId],
    }).catch(() => {});
    const order = await requireOnHold(context, command);
    await deliver(order).catch(async (again: unknown) => {
      if (!isBeyondCredit(again)) throw again;
      const fields = await maximumOf(context, order, delivery);
      throw new AppError('CREDIT_LIMIT_EXCEEDED', { fields });
    });
  });
  context.relay.wake();
}

function isBeyondCredit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'CREDIT_LIMIT_EXCEEDED';
}

/** The most that a delivery may be of, as its line is now; nothing where that is not known. */
async function maximumOf(
  { lanes }: Context,
  { wholesalerId, cornerStoreId, amountCents, isPhoneHeld }: OrderWithTerms,
  delivery: Delivery,
): Promise<{ maximumAmount?: number }> {
  if (isPhoneHeld) return {};
  const terms = await lanes.terms.add({ wholesalerId, cornerStoreId });
  if (terms === undefined) return {};
  const mayBuy = terms.status === 'approved' && !terms.overdue;
  const freeCents = mayBuy ? Math.max(terms.limitCents - terms.usedCents, 0) : 0;
  const maximumCents = amountCents + freeCents;
  return maximumCents < delivery.amountCents ? { maximumAmount: amountOf(maximumCents) } : {};
}

/**
 * What a delivery writes.
 * @throws AppError TRANSACTION_AMOUNT_NOT_ALLOWED
 */
function bookingOf(
  { config, sealer }: Context,
  order: OrderWithTerms,
  { amountCents, location }: Delivery,
): Omit<OrderToDeliver, 'answer'> {
  const mostCents = deliverableCents(order.amountCents, order.deliveryOverageRate);
  if (amountCents > mostCents) {
    const fields = { maximumAmount: amountOf(mostCents) };
    throw new AppError('TRANSACTION_AMOUNT_NOT_ALLOWED', { fields });
  }

  const { id, wholesalerId, cornerStoreId, version, now, commissionRate, paymentTermDays } = order;
  const price = priceOf(amountCents, order);
  const paymentTimeZone = order.paymentTimeZone ?? config.TIME_ZONE;
  const due = { ...paymentDue(now, { paymentTermDays, paymentTimeZone }), paymentTimeZone };
  return {
    id,
    wholesalerId,
    cornerStoreId,
    version,
    amountCents,
    commissionRate,
    ...price,
    ...due,
    differenceCents: amountCents - order.amountCents,
    dayEndsAt: paymentDue(now, { paymentTermDays: 0, paymentTimeZone }).paymentDueAt,
    locationSealed:
      location === undefined
        ? undefined
        : sealer.seal(JSON.stringify(location), LOCATION_PURPOSE, id),
    jobs: debtOf(order, amountCents, price, due),
  };
}

/** Books a delivery together with those that arrive at the same time. */
function book(
  { db, lanes }: Context,
  order: OrderWithTerms,
  toDeliver: OrderToDeliver,
): Promise<DeliveryOutcome> {
  if (!order.isPhoneHeld || toDeliver.differenceCents <= 0) return lanes.deliveries.add(toDeliver);
  // A larger delivery during a phone hold: parallel orders share what the hold leaves.
  return db.transaction(async (tx) => {
    const outcome = await deliverOrders.one(tx, toDeliver);
    if (outcome === 'delivered' && (await isBeyondPhoneHold(tx, order, toDeliver.amountCents))) {
      throw new AppError('CREDIT_LIMIT_EXCEEDED');
    }
    return outcome;
  });
}

/** Whether a larger delivery of an order that counts against a phone hold passes its limit. */
async function isBeyondPhoneHold(
  tx: Transaction,
  order: OrderWithTerms,
  amountCents: number,
): Promise<boolean> {
  const hold = await lockPhoneHold(tx, order);
  return hold?.counts === true && hold.othersCents + amountCents > MAX_HELD_CENTS;
}

function debtOf(
  transaction: OrderWithTerms,
  amountCents: number,
  { interestCents, ivaCents }: Price,
  due: Pick<OrderToDeliver, 'paymentDueAt' | 'paymentDueOn' | 'paymentTimeZone'>,
): OutboxRow[] {
  return outboxRows(
    transactionDelivered,
    { id: transaction.id, version: transaction.version + 1 },
    {
      transactionId: transaction.id,
      wholesalerId: transaction.wholesalerId,
      cornerStoreId: transaction.cornerStoreId,
      userId: transaction.userId,
      externalId: transaction.externalId,
      principalCents: amountCents,
      interestCents,
      ivaCents,
      dueAt: due.paymentDueAt.toISOString(),
      dueOn: due.paymentDueOn,
      timeZone: due.paymentTimeZone,
      // The statement writes the time at which it delivers.
      deliveredAt: transaction.now.toISOString(),
    },
  );
}
