import type { Resources } from '@fiado/ops-client/generated/resources';
import type { Schema } from '@fiado/ops-client/operations';
import { LONG_CALL } from './long-call';

type Debt = Schema<'Debt'>;

const FIELDS = [
  'wholesalerId',
  'userId',
  'externalId',
  'principalCents',
  'interestCents',
  'ivaCents',
  'dueAt',
  'paid',
  'inDefault',
  'owedPrincipalCents',
  'version',
] as const;

/**
 * The orders of a corner store that differ between transactions and payments, each with the values
 * that differ; null where a service does not have the order.
 */
export async function differingDebts(
  { invariants }: Pick<Resources, 'invariants'>,
  question: { cornerStoreId: string; since: string | undefined },
): Promise<object[]> {
  const [transactions, payments] = await Promise.all([
    byOrder(invariants.listTransactionsDebts(question, LONG_CALL)),
    byOrder(invariants.listPaymentsDebts(question, LONG_CALL)),
  ]);
  const ids = [...new Set([...transactions.keys(), ...payments.keys()])].toSorted();
  return ids.flatMap((transactionId): object[] => {
    const [ordered, owed] = [transactions.get(transactionId), payments.get(transactionId)];
    if (ordered === undefined || owed === undefined) {
      const known = { transactions: ordered !== undefined, payments: owed !== undefined };
      return [{ transactionId, ...known }];
    }
    const differing = FIELDS.filter((field) => ordered[field] !== owed[field]);
    if (differing.length === 0) return [];
    const only = (debt: Debt): object =>
      Object.fromEntries(differing.map((field) => [field, debt[field]]));
    return [{ transactionId, transactions: only(ordered), payments: only(owed) }];
  });
}

async function byOrder(debts: AsyncIterable<Debt>): Promise<Map<string, Debt>> {
  const found = new Map<string, Debt>();
  for await (const debt of debts) found.set(debt.transactionId, debt);
  return found;
}
