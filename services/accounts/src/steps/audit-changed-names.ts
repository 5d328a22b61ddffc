import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { PURPOSE } from '../domain/sealing-purposes';

export interface NewNames {
  by: Caller;
  userId: string;
  firstName: string;
  lastNames: string;
}

/** Audits which names of a locked user are about to change; never the names themselves. */
export async function auditChangedNames(
  { sealer }: Context,
  tx: Transaction,
  { by, userId, firstName, lastNames }: NewNames,
): Promise<void> {
  const before = await queryOne<{ firstName: Buffer; lastNames: Buffer }>(
    tx,
    'SELECT first_name, last_names FROM users WHERE id = $1',
    [userId],
  );
  const names = { firstName, lastNames };
  const changed = (['firstName', 'lastNames'] as const).filter(
    (field) => sealer.open(before[field], PURPOSE[field], userId) !== names[field],
  );
  if (changed.length === 0) return;
  await recordAudit(tx, {
    by,
    action: 'user.names-changed',
    objectId: userId,
    details: { changed },
  });
}
