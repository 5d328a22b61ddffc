import type { Transaction } from '@fiado/chassis/db/database';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { transactionDelivered } from '@fiado/contracts/jobs/transaction-delivered';
import type { Context } from '../context';
import { lockPhoneHold } from '../db/phone-holds.repository';
import { recordDelivery, type DeliveryRecord } from '../db/record-delivery';
import {
  changeUsedCredit,
  lockTransaction,
  type TransactionWithTerms,
} from '../db/transactions.repository';
import { deliveryRefusal } from '../domain/delivery';
import { MAX_HELD_CENTS } from '../domain/refusal';
import { LOCATION_PURPOSE } from '../domain/sealing-purposes';
import { paymentDue, priceOf, type Price } from '../domain/pricing';
import { checkDeliveryWord } from '../steps/check-delivery-word';
import { requireOnHold } from '../steps/require-on-hold';
import { refreshCreditTerms } from '../steps/refresh-credit-terms';

export interface DeliverTransaction {
  wholesalerId: string;
  transactionId: string;
  /** Reads and checks the delivery: called once the transaction is known to be on hold. */
  readDelivery: () => Delivery;
}

export interface Delivery {
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
      const locked = await lockTransaction(tx, wholesalerId, transactionId);
      if (locked?.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
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
  transaction: TransactionWithTerms,
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
  order: TransactionWithTerms,
  amountCents: number,
): Promise<boolean> {
  const hold = order.isPhoneHeld ? await lockPhoneHold(tx, order) : undefined;
  return hold?.counts === true && hold.othersCents + amountCents > MAX_HELD_CENTS;
}

function debtOf(
  transaction: TransactionWithTerms,
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
