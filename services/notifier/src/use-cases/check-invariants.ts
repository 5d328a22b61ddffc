import { allowLongStatements } from '@fiado/shared/chassis/db/query';
import type { InvariantCheck } from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { findViolations } from '../db/invariants.repository';

/** Looks at every fact that must hold of the messages, on one snapshot of the data. */
export function checkInvariants({
  db,
  keepsBodies,
}: Pick<Context, 'db' | 'keepsBodies'>): Promise<InvariantCheck[]> {
  return db.transaction('REPEATABLE READ', async (tx) => {
    await allowLongStatements(tx);
    return findViolations(tx, { wiped: !keepsBodies });
  });
}
