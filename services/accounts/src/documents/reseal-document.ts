import { query, queryRow } from '@fiado/chassis/db/query';
import type { Context } from '../context';
import { PURPOSE } from '../db/sealed-columns';

/**
 * Seals the image of a document with the newest key, in a file of its own. The file before stays until
 * the sweep removes it, because a request may be about to read it.
 * @throws Error when the image does not open
 */
export async function resealDocument(
  { db, documents, sealer }: Context,
  documentId: string,
): Promise<void> {
  const document = await queryRow<{ storageKey: string }>(
    db,
    'SELECT storage_key FROM onboarding_documents WHERE id = $1',
    [documentId],
  );
  if (document === undefined) return;
  const sealed = await documents.get(document.storageKey);
  const resealed = sealer.reseal(sealed, PURPOSE.document, documentId);
  if (resealed === undefined) return;
  const storageKey = await documents.put(resealed);
  const moved = await query(
    db,
    `UPDATE onboarding_documents SET storage_key = $2 WHERE id = $1 AND storage_key = $3
     RETURNING 1`,
    [documentId, storageKey, document.storageKey],
  );
  if (moved.length === 0) await documents.remove(storageKey);
}
