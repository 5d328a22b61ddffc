import { ops } from '@fiado/chassis/testing/callers';
import type { TransactionsService } from './transactions';

/** The invariants that do not hold, apart from those about what accounts knows: its stand-in knows nothing. */
export async function brokenInvariants(transactions: TransactionsService): Promise<unknown[]> {
  const checks: Array<{ name: string; holds: boolean }> = [];
  // Range after range.
  for (let next: string | null | undefined = ''; next != null;) {
    const path = `/v1/admin/invariants/transactions${next === '' ? '' : `?from=${next}`}`;
    const { body } = await transactions.call(ops(), 'GET', path);
    checks.push(...body.checks);
    next = body.next;
  }
  return checks.filter(({ name, holds }) => !holds && !name.includes('accounts'));
}
