import type { Answer } from '@fiado/chassis/testing/call';
import type { CornerStore, TransactionsService } from './transactions';

/** On a slow machine a request may wait for others for longer than two seconds: then it is 503. */
const MOST_TRIES = 20;

/** A credit note that the order's wholesaler asks for, again while other requests hold its rows. */
export async function credit(
  transactions: TransactionsService,
  { caller }: CornerStore,
  transactionId: string,
  { body, headers = {} }: { body: object; headers?: Record<string, string> },
): Promise<Answer> {
  const path = `/v1/transaction/${transactionId}/credit-notes`;
  const ask = () =>
    transactions.call(caller, 'POST', path, { body: { reason: 'return', ...body }, headers });
  let answer = await ask();
  for (let tries = 1; answer.status === 503 && tries < MOST_TRIES; tries += 1) answer = await ask();
  return answer;
}
