import {
  endSandboxOrdersCall,
  type EndedSandboxOrders,
  type EndSandboxOrders,
} from '@fiado/contracts/end-sandbox-orders';
import type { Context } from '../context';
import { findTransactionsWithReceivable } from '../db/receivables.repository';
import { openReceivable } from './open-receivable';

/**
 * Has transactions end a wholesaler's orders in a sandbox, and opens the receivables of what is owed
 * whose event has not arrived.
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
  const known = await findTransactionsWithReceivable(context.db, ids);
  for (const delivered of ended.owed) {
    if (!known.has(delivered.transactionId)) await openReceivable(context, { delivered });
  }
  return ended;
}
