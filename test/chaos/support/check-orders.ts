import type { System } from '../../e2e/support/system';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { grouped } from './grouped';
import type { Operation } from './history';

interface ListedOrder {
  transactionId: string;
  cornerStoreId: string;
  transactionStatus: string;
  wholesalerTransactionId: string;
  totalAmount: number;
}

interface OrderBody {
  cornerStoreId: string;
  totalAmount: number;
  wholesalerTransactionId: string;
}

/** An order that a client asked for, and what it was told. */
interface Asked extends OrderBody {
  /** unknown: may have happened or not. */
  outcome: 'ok' | 'fail' | 'unknown';
  transactionId?: string;
}

const DELIVERED = new Set(['delivery', 'in-payment-default', 'paid']);

/** No acknowledged order, confirmation or delivery is missing; none happened twice or unasked. */
export async function checkOrders(
  system: System,
  key: string,
  operations: Operation[],
): Promise<string[]> {
  const listed: ListedOrder[] = await rowsOfAll('transactions', (cursor) =>
    system.call(key, 'GET', `/transaction?limit=100${cursor}`),
  );
  const byOwnId = grouped(listed, ({ wholesalerTransactionId }) => wholesalerTransactionId);
  const asked = operations.flatMap(askedBy);
  const wanted = new Set(asked.map(({ wholesalerTransactionId }) => wholesalerTransactionId));
  return [
    ...asked.flatMap((order) =>
      problemsOf(order, byOwnId.get(order.wholesalerTransactionId) ?? []),
    ),
    ...listed
      .filter(({ wholesalerTransactionId }) => !wanted.has(wholesalerTransactionId))
      .map(({ transactionId }) => `nobody asked for the order ${transactionId}`),
    ...checkSteps(listed, operations),
  ];
}

function askedBy({ kind, body, outcome, text }: Operation): Asked[] {
  if (kind === 'order') {
    const { transactionId } = outcome === 'ok' ? JSON.parse(text ?? '') : {};
    return [{ ...(body as OrderBody), outcome, transactionId }];
  }
  if (kind !== 'batch') return [];
  const answers = outcome === 'ok' ? JSON.parse(text ?? '') : [];
  return (body as { transactions: OrderBody[] }).transactions.map((order, index) => ({
    ...order,
    outcome: outcome !== 'ok' || answers[index]?.status === 'accepted' ? outcome : 'fail',
    transactionId: answers[index]?.transactionId,
  }));
}

function problemsOf(asked: Asked, found: ListedOrder[]): string[] {
  const name = `the order ${asked.wholesalerTransactionId}`;
  if (found.length > 1) return [`${name} happened ${found.length} times`];
  const [order] = found;
  if (asked.outcome === 'fail')
    return order === undefined ? [] : [`${name} was refused and exists`];
  if (order === undefined)
    return asked.outcome === 'ok' ? [`${name} was answered and is gone`] : [];
  const same =
    order.cornerStoreId === asked.cornerStoreId &&
    (asked.transactionId === undefined || order.transactionId === asked.transactionId);
  return same ? [] : [`${name} is another than was answered: ${JSON.stringify(order)}`];
}

/** What was confirmed is past its code, what was delivered has the amount of its delivery. */
function checkSteps(listed: ListedOrder[], operations: Operation[]): string[] {
  const byId = new Map(listed.map((transaction) => [transaction.transactionId, transaction]));
  return operations.flatMap(({ kind, outcome, path, body }) => {
    if (outcome !== 'ok' || (kind !== 'confirm' && kind !== 'deliver')) return [];
    const id = path.split('/')[2] ?? '';
    const transaction = byId.get(id);
    const status = transaction?.transactionStatus ?? 'gone';
    if (kind === 'confirm') {
      const lost = status !== 'on-hold' && !DELIVERED.has(status);
      return lost ? [`the order ${id} was confirmed and is ${status}`] : [];
    }
    const { transactionAmount } = body as { transactionAmount: number };
    const kept = DELIVERED.has(status) && transaction?.totalAmount === transactionAmount;
    return kept ? [] : [`the order ${id} was delivered and is ${JSON.stringify(transaction)}`];
  });
}
