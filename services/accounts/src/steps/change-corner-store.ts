import { queryRow } from '@fiado/shared/chassis/db/query';
import { updateVersionedRow } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import type { OnboardingStep } from '@fiado/shared/contracts/onboarding';
import type { EntityManager } from 'typeorm';
import type { Context } from '../context';
import { recordAudit, type AuditAction } from '../db/audit-log.repository';
import { cornerStoreDetails, type CornerStoreDetails } from '../db/corner-store-details.repository';
import { cornerStoreEvents } from './announce-changes';

/** What ops may change of a corner store. */
export interface CornerStoreChanges extends Partial<LockedStore> {
  creditLimitCents?: number;
  /** Decimal string, at most 6 decimals. */
  interestRate?: string;
  rejectionReason?: string | null;
  timeZone?: string;
}

interface LockedStore {
  status: CornerStoreStatus;
  onboardingSteps: OnboardingStep[];
}

export interface ChangeCornerStore {
  by: Caller;
  cornerStoreId: string;
  action: AuditAction;
  /** Decides on the locked store; undefined leaves it unchanged, `{}` publishes it again. */
  decide: (
    store: LockedStore,
    tx: EntityManager,
  ) => CornerStoreChanges | undefined | Promise<CornerStoreChanges | undefined>;
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
    const store = await queryRow<LockedStore>(
      tx,
      'SELECT status, onboarding_steps FROM corner_stores WHERE id = $1 FOR NO KEY UPDATE',
      [cornerStoreId],
    );
    if (store === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');

    const changes = await decide(store, tx);
    if (changes !== undefined) {
      await updateVersionedRow(tx, 'corner_stores', cornerStoreId, changes);
      await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
      await recordAudit(tx, { by, action, objectId: cornerStoreId, details: auditDetails });
    }
    return cornerStoreDetails(tx, cornerStoreId);
  });
  context.relay.wake();
  return details;
}
