import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  type EndedSandboxOrders,
  type EndSandboxOrders,
  endSandboxOrdersCall,
} from '@fiado/contracts/end-sandbox-orders';
import type { Context } from '../context';
import { openReceivable } from '../debts/open-receivable';

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

/** Those of the transactions that have a receivable. */
async function findTransactionsWithReceivable(
  db: Db,
  transactionIds: string[],
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    'SELECT transaction_id AS id FROM receivables WHERE transaction_id = ANY($1)',
    [transactionIds],
  );
  return new Set(rows.map(({ id }) => id));
}
