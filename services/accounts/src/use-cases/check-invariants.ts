import { allowLongStatements, query } from '@fiado/shared/chassis/db/query';
import {
  MAX_VIOLATIONS,
  type InvariantCheck,
  type InvariantReport,
} from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { INVARIANTS } from '../db/invariants';

/** Looks at all that must hold in accounts, at one moment. */
export async function checkInvariants({ db }: Context): Promise<InvariantReport> {
  const checks = await db.transaction('REPEATABLE READ', async (tx) => {
    await allowLongStatements(tx);
    const looked: InvariantCheck[] = [];
    for (const { name, violations: statement } of INVARIANTS) {
      const violations = await query<Record<string, unknown>>(tx, statement, [MAX_VIOLATIONS]);
      looked.push({ name, holds: violations.length === 0, violations });
    }
    return looked;
  });
  return { service: 'accounts', checks };
}
