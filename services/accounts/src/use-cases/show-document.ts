import { query } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import type { OnboardingDocument } from '../db/onboarding.repository';
import { PURPOSE } from '../domain/sealing-purposes';

/**
 * Opens a document's image. The access is audited first.
 * @throws AppError DOCUMENT_NOT_FOUND
 */
export async function showDocument(
  { db, documents, sealer }: Context,
  { by, cornerStoreId, documentId }: { by: Caller; cornerStoreId: string; documentId: string },
): Promise<{ document: OnboardingDocument; image: Buffer }> {
  const document = await db.transaction(async (tx) => {
    const [found] = await query<OnboardingDocument>(
      tx,
      'SELECT * FROM onboarding_documents WHERE id = $1 AND corner_store_id = $2',
      [documentId, cornerStoreId],
    );
    if (found === undefined) throw new AppError('DOCUMENT_NOT_FOUND');
    await recordAudit(tx, { by, action: 'document.viewed', objectId: documentId });
    return found;
  });
  const sealed = await documents.get(document.storageKey);
  return { document, image: sealer.openBytes(sealed, PURPOSE.document, documentId) };
}
