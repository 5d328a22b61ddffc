import type { Caller } from '@fiado/shared/contracts/caller';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import type { QueryDeepPartialEntity } from 'typeorm';
import type { Context } from '../context';
import type { AuditAction } from '../db/audit-entry.entity';
import { recordAudit } from '../db/audit-log.repository';
import { cornerStoreDetails, type CornerStoreDetails } from '../db/corner-store-details.repository';
import { CornerStore } from '../db/corner-store.entity';
import { cornerStoreEvents } from './announce-changes';

/** What ops may change of a corner store. */
export type CornerStoreChanges = Partial<
  Pick<
    CornerStore,
    'status' | 'creditLimitCents' | 'interestRate' | 'rejectionReason' | 'onboardingSteps'
  >
>;

export interface ChangeCornerStore {
  by: Caller;
  cornerStoreId: string;
  action: AuditAction;
  /** Decides on the locked store; undefined leaves it unchanged. */
  decide: (store: CornerStore) => CornerStoreChanges | undefined;
  /** Details for the audit log. */
  auditDetails?: object;
}

/**
 * Changes a corner store for ops: locks it, decides, writes, publishes the change and audits it.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function changeCornerStore(
  context: Context,
  { by, cornerStoreId, action, decide, auditDetails = {} }: ChangeCornerStore,
): Promise<CornerStoreDetails> {
  const details = await context.db.transaction(async (tx) => {
    const store = await tx.findOne(CornerStore, {
      where: { id: cornerStoreId },
      lock: { mode: 'for_no_key_update' },
    });
    if (store === null) throw new AppError('CORNER_STORE_NOT_FOUND');

    const changes = decide(store);
    if (changes !== undefined) {
      const raised: QueryDeepPartialEntity<CornerStore> = {
        ...changes,
        version: () => 'version + 1',
        updatedAt: () => 'now()',
      };
      await tx.update(CornerStore, cornerStoreId, raised);
      await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
      await recordAudit(tx, { by, action, objectId: cornerStoreId, details: auditDetails });
    }
    return cornerStoreDetails(tx, cornerStoreId);
  });
  context.relay.wake();
  return details;
}
