import { allowLongStatements, query } from '@fiado/shared/chassis/db/query';
import {
  MAX_VIOLATIONS,
  type InvariantCheck,
  type InvariantReport,
} from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { INVARIANTS } from '../db/invariants';

/** Looks at all that must hold in payments, at one moment: a deposit in between changes no sum. */
export async function checkInvariants(context: Context): Promise<InvariantReport> {
  const checks = await context.db.transaction('REPEATABLE READ', async (tx) => {
    await allowLongStatements(tx);
    const looked: InvariantCheck[] = [];
    for (const { name, violations: statement } of INVARIANTS) {
      const violations = await query<Record<string, unknown>>(tx, statement, [MAX_VIOLATIONS]);
      looked.push({ name, holds: violations.length === 0, violations });
    }
    return looked;
  });
  return { service: 'payments', checks };
}
