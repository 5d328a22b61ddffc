import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { OnboardingDocument } from '../db/onboarding-document.entity';
import { PURPOSE } from '../domain/sealing-purposes';

export interface ShowDocument {
  by: Caller;
  cornerStoreId: string;
  documentId: string;
}

/**
 * Opens a document's image. The access is audited first.
 * @throws AppError DOCUMENT_NOT_FOUND
 */
export async function showDocument(
  { db, documents, sealer }: Context,
  { by, cornerStoreId, documentId }: ShowDocument,
): Promise<{ document: OnboardingDocument; image: Buffer }> {
  const document = await db.transaction(async (tx) => {
    const found = await tx.findOneBy(OnboardingDocument, { id: documentId, cornerStoreId });
    if (found === null) throw new AppError('DOCUMENT_NOT_FOUND');
    await recordAudit(tx, { by, action: 'document.viewed', objectId: documentId });
    return found;
  });
  const sealed = await documents.get(document.storageKey);
  return { document, image: sealer.openBytes(sealed, PURPOSE.document, documentId) };
}
