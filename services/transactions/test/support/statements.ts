import { setTimeout } from 'node:timers/promises';
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

/**
 * Now, for `until`. Lines have microseconds and `until` has milliseconds, so the millisecond of the last line
 * has to end first.
 */
export async function afterTheLastLine(): Promise<string> {
  const lastLine = Date.now();
  while (Date.now() === lastLine) await setTimeout(1);
  return new Date().toISOString();
}

/** Closes the statement of a wholesaler as of now, as ops does. */
export async function closeNow(
  transactions: TransactionsService,
  store: CornerStore,
): Promise<Answer> {
  return transactions.call(ops(), 'POST', '/v1/admin/statements/close', {
    body: { wholesalerId: store.caller.id, until: await afterTheLastLine() },
  });
}
