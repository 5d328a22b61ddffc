import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { CornerStore } from '../db/corner-store.entity';
import { OnboardingDocument } from '../db/onboarding-document.entity';

/**
 * The images of a corner store, newest first. The access is audited.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function listDocuments(
  { db }: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<OnboardingDocument[]> {
  return db.transaction(async (tx) => {
    const known = await tx.existsBy(CornerStore, { id: cornerStoreId });
    if (!known) throw new AppError('CORNER_STORE_NOT_FOUND');
    await recordAudit(tx, { by, action: 'documents.listed', objectId: cornerStoreId });
    // Few: each step takes a limited number of each wholesaler.
    return tx.find(OnboardingDocument, {
      where: { cornerStoreId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  });
}
