import { query } from '@fiado/chassis/db/query';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  deliverSandboxOrderCall,
  type EndedSandboxOrders,
  type EndSandboxOrders,
  endSandboxOrdersCall,
} from '@fiado/contracts/sandbox-orders';
import type { OpenSandboxDefault } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';
import { openReceivable } from '../debts/open-receivable';
import { detectDefaults } from '../defaults/detect-defaults';

/** Corner stores that a call leaves alone, because they are another wholesaler's too. */
export const leftAlone = {
  ...t.listOf(t.uuid),
  description: 'Each `cornerStoreId` that was left alone',
};

/**
 * Ends a wholesaler’s orders in a sandbox through transactions, and opens the receivables whose event has not arrived.
 * @param asOf without it all open orders are cancelled
 * @throws AppError SERVICE_UNAVAILABLE when transactions cannot be reached
 */
export async function endOrders(
  context: Context,
  { wholesalerId, asOf }: { wholesalerId: string; asOf?: Date },
): Promise<EndedSandboxOrders> {
  const command: EndSandboxOrders = {
    wholesalerId,
    ...(asOf === undefined ? {} : { asOf: asOf.toISOString() }),
  };
  const ended = await context.transactions.tell(endSandboxOrdersCall, command);
  const ids = ended.owed.map(({ transactionId }) => transactionId);
  const rows = await query<{ id: string }>(
    context.db,
    'SELECT transaction_id AS id FROM receivables WHERE transaction_id = ANY($1)',
    [ids],
  );
  const known = new Set(rows.map(({ id }) => id));
  for (const delivered of ended.owed) {
    if (!known.has(delivered.transactionId)) await openReceivable(context, { delivered });
  }
  return ended;
}

/**
 * Opens a default as it comes about otherwise, in a sandbox: transactions delivers an order, its
 * debt is booked, and default detection looks at it for the moment after its payment date. Each
 * part happens once for a job, so a repetition goes on where it ended.
 * @throws AppError SERVICE_UNAVAILABLE when transactions cannot be reached or refuses the order
 */
export async function openSandboxDefault(
  context: Context,
  messageId: string,
  data: OpenSandboxDefault,
): Promise<void> {
  const { wholesalerId, cornerStoreId, amountCents } = data;
  const wholesalerTransactionId = `sandbox-${messageId}`;
  const order = { wholesalerId, cornerStoreId, amountCents, wholesalerTransactionId };
  const delivered = await context.transactions.tell(deliverSandboxOrderCall, order);
  await openReceivable(context, { delivered });
  await detectDefaults(context, {
    asOf: new Date(Date.parse(delivered.dueAt) + 1),
    transactionIds: [delivered.transactionId],
  });
}
