import { rowExists } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { findDocuments, type OnboardingDocument } from '../db/onboarding.repository';

/**
 * The images of a corner store, newest first. The access is audited.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function listDocuments(
  { db }: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<OnboardingDocument[]> {
  return db.transaction(async (tx) => {
    if (!(await rowExists(tx, 'corner_stores', cornerStoreId)))
      throw new AppError('CORNER_STORE_NOT_FOUND');
    await recordAudit(tx, { by, action: 'documents.listed', objectId: cornerStoreId });
    return findDocuments(tx, cornerStoreId);
  });
}
