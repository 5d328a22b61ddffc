import { sweepFiles } from '@fiado/chassis/documents/sweep-files';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { OnboardingDocumentRow } from '../onboarding/onboarding-document.entity';

/** Removes the files of images and privacy packages that have no row. */
export function sweepDocuments(context: Context, stopping?: AbortSignal): Promise<void> {
  const tables = ['onboarding_documents', 'privacy_packages'];
  return sweepFiles(context, { store: context.documents, tables }, stopping);
}

/**
 * Seals the image of a document with the newest key, in a file of its own. The file before stays until
 * the sweep removes it, because a request may be about to read it.
 * @throws Error when the image does not open
 */
export async function resealDocument(
  { db, documents, sealer }: Context,
  documentId: string,
): Promise<void> {
  const document = await db.manager.findOne(OnboardingDocumentRow, {
    where: { id: documentId },
    select: { id: true, storageKey: true },
  });
  if (document === null) return;
  const sealed = await documents.get(document.storageKey);
  const resealed = sealer.reseal(sealed, PURPOSE.document, documentId);
  if (resealed === undefined) return;
  const storageKey = await documents.put(resealed);
  const before = { id: documentId, storageKey: document.storageKey };
  const { affected } = await db.manager.update(OnboardingDocumentRow, before, { storageKey });
  if (affected === 0) await documents.remove(storageKey);
}
