// Compiled, not run: what an integrator's compiler accepts and refuses. It has neither the types of Node
// nor those of browsers.
import { Fiado, FiadoError, type ErrorCodeOf, type FiadoEvent, type Schema } from '@fiado/client';

declare const fiado: Fiado;
declare const error: unknown;
const line = { externalSKU: 'REF-600', name: 'Refresco', quantity: 24 };

export async function types(): Promise<void> {
  const { transactionId } = await fiado.transactions.create({
    cornerStoreId: 'c',
    totalAmount: 500,
    products: [line],
  });
  transactionId satisfies string;
  // @ts-expect-error: totalAmount is missing
  await fiado.transactions.create({ cornerStoreId: 'c', products: [line] });
  // @ts-expect-error: an amount is a number
  await fiado.transactions.create({ cornerStoreId: 'c', totalAmount: '500', products: [line] });
  // @ts-expect-error: the lender's operations are not in the client
  void fiado.wholesalers;

  const { transactionStatus } = await fiado.transactions.get(transactionId);
  if (transactionStatus === 'on-hold') return;
  // A status of a later version.
  if (transactionStatus === 'in-review') return;
  // @ts-expect-error: a filter must be a status that the API knows
  fiado.transactions.list({ status: 'in-review' });
  for await (const order of fiado.transactions.list({ status: 'paid' }))
    order.totalAmount.toFixed(2);
  for await (const page of fiado.events.list().pages()) void page.nextCursor;
  for (const item of await fiado.transactions.createBatch({ driverId: 'd', transactions: [] })) {
    if (item.status === 'accepted') item.transactionId satisfies string;
    else item.rejectionReasons.length satisfies number;
  }
  const nothing: undefined = await fiado.webhookEndpoints.delete('w');
  return nothing;
}

export function errors(): void {
  if (!(error instanceof FiadoError)) return;
  error.is('CREDIT_LIMIT_EXCEEDED');
  error.is('createTransaction', 'CREDIT_LIMIT_EXCEEDED');
  error.is('createTransaction', 'VALIDATION_FAILED');
  error.is('resendAccountCode', 'USER_IS_VERIFIED');
  // @ts-expect-error: a code of another operation
  error.is('createTransaction', 'DEPOSIT_CONFLICT');
  // @ts-expect-error: no code
  error.is('CREDIT_LIMIT');
  const code: ErrorCodeOf<'recordDeposit'> = 'DEPOSIT_CONFLICT';
  void code;
}

export function paid(event: FiadoEvent): Schema<'ProductLine'>[] | undefined {
  if (event.type === 'transaction.paid') return event.data.products;
  // @ts-expect-error: data of another type of event
  if (event.type === 'endpoint.disabled') return event.data.products;
  return undefined;
}
