import { Equals, IsLatitude, IsLongitude, IsNumber, IsOptional } from 'class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { insertRow } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { IsPositiveAmount, IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { transactionDelivered } from '@fiado/contracts/jobs/debts';
import { centsOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { lockPhoneHold } from '../credit-lines/phone-hold.sql';
import { changeUsedCredit } from '../credit-lines/used-credit';
import { LOCATION_PURPOSE } from '../orders/order.rules';
import { lockOnHold, requireOnHold, type OrderWithTerms } from '../orders/order.sql';
import { paymentDue, type Price, priceOf } from '../orders/pricing.rules';
import { MAX_HELD_CENTS } from '../orders/refusal.rules';
import { checkDeliveryWord } from './delivery-word';
import { deliveryRefusal } from './delivery.rules';

class DeliverTransactionBody {
  @Equals('delivery', { message: 'status must be delivery' })
  status: string;

  @IsPositiveAmount()
  transactionAmount: number;

  @IsOptional()
  @IsText(50)
  deliveryWord?: string;

  @IsOptional()
  @IsNumber()
  @IsLatitude()
  latitude?: number;

  @IsOptional()
  @IsNumber()
  @IsLongitude()
  longitude?: number;

  @IsOptional()
  @IsText(500)
  description?: string;
}

export const deliverTransactionEndpoint = endpoint({
  id: 'deliverTransaction',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'PUT /v1/transaction/:transactionId',
  scope: 'transactions:write',
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

/**
 * Records a delivery (deliverTransaction): sets the final amount, books the debt, and recalculates
 * commission, interests and IVA from that amount. All terms are those that the order was made with.
 * @throws what readDelivery throws
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD, DELIVERY_WORD_NOT_VALID,
 * TOO_MANY_ATTEMPTS, TRANSACTION_AMOUNT_NOT_ALLOWED, CREDIT_LIMIT_EXCEEDED
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

  const deliver = (): Promise<void> =>
    answerInTransaction(context, answerOf, async (tx) => {
      const locked = await lockOnHold(tx, wholesalerId, transactionId);
      await bookDelivery(context, tx, locked, delivery);
    });
  await deliver().catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CREDIT_LIMIT_EXCEEDED') throw error;
    // The limit may have been raised just now: call accounts before a refusal.
    await refreshCreditTerms(context, {
      wholesalerId,
      cornerStoreIds: [transaction.cornerStoreId],
    }).catch(() => {});
    await deliver();
  });
}

async function bookDelivery(
  context: Context,
  tx: Transaction,
  transaction: OrderWithTerms,
  { amountCents, location }: Delivery,
): Promise<void> {
  const refusal = deliveryRefusal(
    transaction.amountCents,
    amountCents,
    transaction.deliveryOverageRate,
  );
  if (refusal !== undefined) throw new AppError(refusal);

  const price = priceOf(amountCents, transaction);
  const { now, paymentTermDays } = transaction;
  const paymentTimeZone = transaction.paymentTimeZone ?? context.config.TIME_ZONE;
  const due = {
    ...paymentDue(now, { paymentTermDays, paymentTimeZone }),
    paymentTimeZone,
  };
  await recordDelivery(tx, transaction, {
    amountCents,
    price,
    due,
    locationSealed:
      location === undefined
        ? null
        : context.sealer.seal(JSON.stringify(location), LOCATION_PURPOSE, transaction.id),
  });
  const differenceCents = amountCents - transaction.amountCents;
  if (differenceCents !== 0) {
    const { id: transactionId, cornerStoreId } = transaction;
    const change = { transactionId, cornerStoreId, amountCents: differenceCents };
    const fits = await changeUsedCredit(tx, { ...change, kind: 'adjustment', withinLimit: true });
    if (!fits) throw new AppError('CREDIT_LIMIT_EXCEEDED');
    if (differenceCents > 0 && (await isBeyondPhoneHold(tx, transaction, amountCents))) {
      throw new AppError('CREDIT_LIMIT_EXCEEDED');
    }
  }
  await appendToOutbox(tx, debtOf(transaction, amountCents, price, due));
}

/** Whether a larger delivery of an order that counts against a phone hold passes its limit. */
async function isBeyondPhoneHold(
  tx: Transaction,
  order: OrderWithTerms,
  amountCents: number,
): Promise<boolean> {
  const hold = order.isPhoneHeld ? await lockPhoneHold(tx, order) : undefined;
  return hold?.counts === true && hold.othersCents + amountCents > MAX_HELD_CENTS;
}

function debtOf(
  transaction: OrderWithTerms,
  amountCents: number,
  { interestCents, ivaCents }: Price,
  due: DeliveryRecord['due'],
) {
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
      deliveredAt: transaction.now.toISOString(),
    },
  );
}

interface DeliveryRecord {
  amountCents: number;
  price: Price;
  due: { paymentDueOn: string; paymentDueAt: Date; paymentTimeZone: string };
  locationSealed: Buffer | null;
}

/** Writes the final amount on a locked transaction and replaces its commission row. */
async function recordDelivery(
  tx: Db,
  transaction: OrderWithTerms,
  { amountCents, price, due, locationSealed }: DeliveryRecord,
): Promise<void> {
  await query(
    tx,
    `UPDATE transactions
        SET status = 'delivery', version = version + 1, ordered_cents = amount_cents, amount_cents = $2,
            owed_cents = $2, interest_cents = $3, iva_cents = $4, payment_due_at = $5, delivered_at = now(), location_sealed = $6,
            payment_due_on = $7, payment_time_zone = $8
      WHERE id = $1`,
    [
      transaction.id,
      amountCents,
      price.interestCents,
      price.ivaCents,
      due.paymentDueAt,
      locationSealed,
      due.paymentDueOn,
      due.paymentTimeZone,
    ],
  );
  // Two statements, one after the other: the live row must be void before its successor is written.
  await query(
    tx,
    'UPDATE commissions SET voided_at = now() WHERE transaction_id = $1 AND voided_at IS NULL',
    [transaction.id],
  );
  await insertRow(tx, 'commissions', {
    transactionId: transaction.id,
    rate: transaction.commissionRate,
    amountCents: price.commissionCents,
  });
}
