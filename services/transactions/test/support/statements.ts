import type { Answer } from '@fiado/chassis/testing/service';
import { ops } from '@fiado/chassis/testing/callers';
import { orderOnHold } from './orders';
import type { CornerStore, TransactionsService } from './transactions';

/** An order that is delivered with that amount, in pesos. @returns its id */
export async function deliveredOrder(
  transactions: TransactionsService,
  store: CornerStore,
  amount: number,
  body: object = {},
): Promise<string> {
  const { transactionId } = await orderOnHold(transactions, store, {
    totalAmount: amount,
    ...body,
  });
  const delivery = { status: 'delivery', transactionAmount: amount };
  const path = `/v1/transaction/${transactionId}`;
  const { status } = await transactions.call(store.caller, 'PUT', path, { body: delivery });
  expect(status).toBe(200);
  return transactionId;
}

/** Closes the statement of a wholesaler as of now, as ops does. */
export function closeNow(transactions: TransactionsService, store: CornerStore): Promise<Answer> {
  return transactions.call(ops(), 'POST', '/v1/admin/statements/close', {
    body: { wholesalerId: store.caller.id, until: new Date().toISOString() },
  });
}
