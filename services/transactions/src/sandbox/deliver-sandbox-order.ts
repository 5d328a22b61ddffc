import type { Db } from '@fiado/chassis/db/database';
import { rowsWithKey } from '@fiado/chassis/db/folded-keys';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { requireSandbox } from '@fiado/chassis/service-config';
import { type DeliverSandboxOrder, deliverSandboxOrderCall } from '@fiado/contracts/sandbox-orders';
import { AppError } from '@fiado/contracts/errors';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';
import { deliverOrder } from '../deliveries/deliver-order';
import { findDelivered } from '../deliveries/delivered-order';
import { findDeliveryWord, openDeliveryWord } from '../deliveries/delivery-word';
import { createBatch } from '../orders/create-batch';
import { ORDER_KEY } from '../orders/order.rules';
import { requireOnHold } from '../orders/order.sql';

export const deliverSandboxOrderEndpoint = internalEndpoint({
  call: deliverSandboxOrderCall,
  allow: ['service:payments'],
  handle: (context: Context, order) => {
    requireSandbox(context.config);
    return deliverSandboxOrder(context, order);
  },
});

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
async function deliverSandboxOrder(
  context: Context,
  order: DeliverSandboxOrder,
): Promise<TransactionDelivered> {
  const { wholesalerId } = order;
  const transactionId = (await findLiveOrder(context.db, order)) ?? (await place(context, order));
  const before = await findDelivered(context.db, wholesalerId, transactionId);
  if (before?.delivered) return before.delivered;

  const held = await requireOnHold(context, { wholesalerId, transactionId });
  const word = await findDeliveryWord(context.db, held);
  const deliveryWord = word && openDeliveryWord(context, transactionId, word.sealed);
  const { amountCents } = order;
  const asked = { amountCents, deliveryWord, location: undefined };
  await deliverOrder(context, { wholesalerId, transactionId, asked }, noStoredAnswer);
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

/** The live order with the wholesaler's own id. @returns undefined when there is none */
async function findLiveOrder(
  db: Db,
  {
    wholesalerId,
    wholesalerTransactionId,
  }: { wholesalerId: string; wholesalerTransactionId: string },
): Promise<string | undefined> {
  const [order] = await query<{ id: string }>(
    db,
    `${rowsWithKey(ORDER_KEY, 'found.id', { of: ['$1'], asked: '$2' })} LIMIT 1`,
    [wholesalerId, wholesalerTransactionId],
  );
  return order?.id;
}
