import { type Answer, unlessBusy } from '@fiado/chassis/testing/call';
import type { CornerStore, TransactionsService } from './transactions';

export interface Order {
  transactionId: string;
  verificationId: string;
}

/** Body of an order. */
export const AN_ORDER = {
  totalAmount: 1000,
  products: [{ externalSKU: 'SKU-1', name: 'Refresco 600 ml', quantity: 12 }],
};

/** An item of a batch. */
export const batchItem = (cornerStoreId: string, fields: object = {}) => ({
  cornerStoreId,
  ...AN_ORDER,
  metadata: {},
  ...fields,
});

/** Sends a batch as the wholesaler of a corner store. */
export function sendBatch(
  transactions: TransactionsService,
  { caller }: CornerStore,
  items: object[],
  headers = {},
): Promise<Answer> {
  return transactions.call(caller, 'POST', '/v1/transaction/batch', {
    body: { driverId: 'driver-1', transactions: items },
    headers,
  });
}

/** The code in the newest SMS about an order. */
export async function codeOf(
  transactions: TransactionsService,
  transactionId: string,
): Promise<string> {
  const { values } = await transactions.lastSms(transactionId);
  return 'code' in values ? values.code : '';
}

/** Confirms an order with a code. */
export function confirm(
  transactions: TransactionsService,
  { caller }: CornerStore,
  order: Order,
  code: string,
): Promise<Answer> {
  return transactions.call(caller, 'PUT', verificationPath(order), { body: { errorCode: code } });
}

export const verificationPath = ({ transactionId, verificationId }: Order): string =>
  `/v1/transaction/${transactionId}/verification/${verificationId}`;

/** Places an order and confirms it with its code: its status is `on-hold`. */
export async function orderOnHold(
  transactions: TransactionsService,
  store: CornerStore,
  body: object = {},
): Promise<Order> {
  const { body: created } = await unlessBusy(() => transactions.order(store, body));
  const code = await codeOf(transactions, created.transactionId);
  const { status } = await unlessBusy(() => confirm(transactions, store, created, code));
  expect(status).toBe(200);
  return created;
}

/** The delivery word in the newest SMS about an order. */
export async function wordOf(
  transactions: TransactionsService,
  transactionId: string,
): Promise<string> {
  const { values } = await transactions.lastSms(transactionId);
  return 'word' in values ? values.word : '';
}

/** Status and error code of an answer: '422 CREDIT_LIMIT_EXCEEDED'. */
export const outcomeOf = ({ status, body }: Answer): string =>
  `${status} ${body.errorCode ?? ''}`.trim();
