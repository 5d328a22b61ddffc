import { ops } from '@fiado/chassis/testing/callers';
import type { TransactionsService } from './transactions';

/** The invariants that do not hold, apart from those about what accounts knows: its stand-in knows nothing. */
export async function brokenInvariants(transactions: TransactionsService): Promise<unknown[]> {
  const { body } = await transactions.call(ops(), 'GET', '/v1/admin/invariants/transactions');
  return body.checks.filter(
    ({ name, holds }: { name: string; holds: boolean }) => !holds && !name.includes('accounts'),
  );
}
