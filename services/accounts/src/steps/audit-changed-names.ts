import type { Caller } from '@fiado/shared/contracts/caller';
import type { EntityManager } from 'typeorm';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { User } from '../db/user.entity';
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
  tx: EntityManager,
  { by, userId, firstName, lastNames }: NewNames,
): Promise<void> {
  const before = await tx.findOneByOrFail(User, { id: userId });
  const changed = [
    ...(sealer.open(before.firstName, PURPOSE.firstName, userId) === firstName
      ? []
      : ['firstName']),
    ...(sealer.open(before.lastNames, PURPOSE.lastNames, userId) === lastNames
      ? []
      : ['lastNames']),
  ];
  if (changed.length === 0) return;
  await recordAudit(tx, {
    by,
    action: 'user.names-changed',
    objectId: userId,
    details: { changed },
  });
}
