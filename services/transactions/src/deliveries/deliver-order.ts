import {
  Equals,
  IsLatitude,
  IsLongitude,
  IsNumber,
  IsOptional,
} from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { StoreAnswer, StoredAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { outboxRows } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import { IsPositiveAmount, IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { transactionDelivered } from '@fiado/contracts/jobs/debts';
import { centsOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { lockPhoneHold } from '../credit-lines/phone-hold.sql';
import { LOCATION_PURPOSE } from '../orders/order.rules';
import type { OrderIds } from '../orders/order.sql';
import { MAX_HELD_CENTS } from '../orders/refusal.rules';
import {
  creditRefusal,
  type DecidedDelivery,
  decideDelivery,
  type Delivery,
} from './decide-delivery.rules';
import { deliverOrders, type DeliveryOutcome, type OrderToDeliver } from './deliver-orders.sql';
import { checkDeliveryWord } from './delivery-word';

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
  input: (request) => ({
    wholesalerId: request.caller.id,
    transactionId: request.id('transactionId', 'TRANSACTION_NOT_FOUND'),
    asked: deliveryIn(request),
  }),
  handle: deliverOrder,
  present: () => ({ success: true }),
});

/** The delivery of a request, or the error of its body: the order is checked before the body. */
function deliveryIn(request: { json: unknown; body: DeliverTransactionBody }): Delivery | Error {
  try {
    const json = request.json as { transactionAmount?: unknown } | null | undefined;
    if ((json?.transactionAmount ?? null) === null)
      throw new AppError('TRANSACTION_AMOUNT_NOT_FOUND');
    const { transactionAmount, deliveryWord, latitude, longitude, description } = request.body;
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
  } catch (error) {
    return error as Error;
  }
}

/** Attempts to book one delivery. Each is decided anew: the order may have changed, or its day may have ended. */
const MAX_TRIES = 3;

/**
 * Records a delivery (deliverTransaction): sets the final amount, books the debt, and recalculates
 * commission, interests and IVA from that amount. All terms are those that the order was made with.
 * @param asked the delivery, or the error of the request that contains none
 * @throws what decideDelivery and checkDeliveryWord throw; AppError CREDIT_LIMIT_EXCEEDED
 */
export async function deliverOrder(
  context: Context,
  { asked, ...ids }: OrderIds & { asked: Delivery | Error },
  answerOf: StoreAnswer<void>,
): Promise<void> {
  const { config, lanes, relay } = context;
  const decide = async () =>
    decideDelivery(await lanes.ordersWithTerms.add(ids), asked, config.TIME_ZONE);

  let decided = await decide();
  const { deliveryWord } = decided.delivery;
  if (deliveryWord !== undefined) await checkDeliveryWord(context, ids, deliveryWord);

  let isRefreshed = false;
  for (let tries = 1; ; tries += 1) {
    const outcome = await book(context, decided, answerOf());
    if (outcome === 'delivered') break;
    const { order, delivery } = decided;
    if (outcome === 'no-credit' && isRefreshed) {
      const terms = order.isPhoneHeld ? undefined : await lanes.terms.add(order);
      throw creditRefusal(order, delivery, terms);
    }
    if (outcome === 'no-credit') {
      // The limit may have been raised just now: call accounts before a refusal.
      const { wholesalerId, cornerStoreId } = order;
      const cornerStoreIds = [cornerStoreId];
      await refreshCreditTerms(context, { wholesalerId, cornerStoreIds }).catch(() => {});
      isRefreshed = true;
    }
    decided = await decide();
    if (tries === MAX_TRIES) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
  }
  relay.wake();
}

/** Books a delivery together with those that arrive at the same time. */
async function book(
  { db, lanes, sealer }: Context,
  { order, delivery: { location }, written, debt }: DecidedDelivery,
  answer: StoredAnswer | undefined,
): Promise<DeliveryOutcome> {
  const { id, version } = order;
  const toDeliver: OrderToDeliver = {
    ...written,
    locationSealed: location && sealer.seal(JSON.stringify(location), LOCATION_PURPOSE, id),
    jobs: outboxRows(transactionDelivered, { id, version: version + 1 }, debt),
    answer,
  };
  if (!order.isPhoneHeld || toDeliver.differenceCents <= 0) return lanes.deliveries.add(toDeliver);
  // A larger delivery during a phone hold: parallel orders share what the hold leaves.
  const beyondHold = new AppError('CREDIT_LIMIT_EXCEEDED');
  try {
    return await db.transaction(async (tx) => {
      const outcome = await deliverOrders.one(tx, toDeliver);
      const hold = outcome === 'delivered' ? await lockPhoneHold(tx, order) : undefined;
      if (hold?.counts === true && hold.othersCents + toDeliver.amountCents > MAX_HELD_CENTS) {
        throw beyondHold;
      }
      return outcome;
    });
  } catch (error) {
    if (error === beyondHold) return 'no-credit';
    throw error;
  }
}
