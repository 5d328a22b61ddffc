import { type Answer, unlessBusy } from '@fiado/chassis/testing/call';
import type { CornerStore, TransactionsService } from './transactions';

/** A credit note that the order's wholesaler asks for, again while other requests hold its rows. */
export async function credit(
  transactions: TransactionsService,
  { caller }: CornerStore,
  transactionId: string,
  { body, headers = {} }: { body: object; headers?: Record<string, string> },
): Promise<Answer> {
  const path = `/v1/transaction/${transactionId}/credit-notes`;
  return unlessBusy(() =>
    transactions.call(caller, 'POST', path, { body: { reason: 'return', ...body }, headers }),
  );
}
