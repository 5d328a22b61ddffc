import { AppError } from '@fiado/contracts/errors';
import type { DeliverSandboxOrder } from '@fiado/contracts/deliver-sandbox-order';
import type { TransactionDelivered } from '@fiado/contracts/jobs/transaction-delivered';
import type { Context } from '../context';
import { findDelivered } from '../db/delivered.repository';
import { findDeliveryWord } from '../db/delivery-words.repository';
import { findLiveOrder } from '../db/sandbox-orders.repository';
import { openDeliveryWord } from '../steps/delivery-word-message';
import { requireOnHold } from '../steps/require-on-hold';
import { createBatch } from './create-batch';
import { deliverTransaction } from './deliver-transaction';

const DRIVER = 'sandbox';
/** A repetition finds the order, so no answer is stored for one. */
const noStoredAnswer = () => undefined;
const PRODUCT = { externalSKU: 'SANDBOX', name: 'Pedido de prueba', quantity: 1 };

/**
 * Places an order as a batch does, without a code, and delivers it with its delivery word. A
 * repetition goes on where the call before it ended.
 * @returns the debt
 * @throws AppError SERVICE_UNAVAILABLE when the order is refused, for example because the customer's
 *   approval has not arrived
 */
export async function deliverSandboxOrder(
  context: Context,
  order: DeliverSandboxOrder,
): Promise<TransactionDelivered> {
  const { wholesalerId } = order;
  const transactionId = (await findLiveOrder(context.db, order)) ?? (await place(context, order));
  const before = await findDelivered(context.db, wholesalerId, transactionId);
  if (before?.delivered) return before.delivered;

  const transaction = await requireOnHold(context, { wholesalerId, transactionId });
  const word = await findDeliveryWord(context.db, transaction);
  const deliveryWord = word && openDeliveryWord(context, transactionId, word.sealed);
  const { amountCents } = order;
  await deliverTransaction(
    context,
    {
      wholesalerId,
      transactionId,
      readDelivery: () => ({ amountCents, deliveryWord, location: undefined }),
    },
    noStoredAnswer,
  );
  const after = await findDelivered(context.db, wholesalerId, transactionId);
  if (!after?.delivered) throw new Error('The delivered order has no debt');
  return after.delivered;
}

async function place(
  context: Context,
  { wholesalerId, cornerStoreId, wholesalerTransactionId, amountCents }: DeliverSandboxOrder,
): Promise<string> {
  const item = {
    cornerStoreId,
    wholesalerTransactionId,
    amountCents,
    products: [PRODUCT],
    deliveryDate: undefined,
    movementDate: undefined,
    metadata: undefined,
  };
  const batch = { wholesalerId, driverId: DRIVER, items: [item], isOfSandbox: true };
  const [outcome] = await createBatch(context, batch, noStoredAnswer);
  if (outcome?.order === undefined) {
    throw new AppError('SERVICE_UNAVAILABLE', { message: `refused: ${outcome?.reasons.join()}` });
  }
  return outcome.order.id;
}
