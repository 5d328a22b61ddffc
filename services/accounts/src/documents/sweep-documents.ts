import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { OnboardingDocumentRow } from '../onboarding/onboarding-document.entity';

/** An upload takes at most 20 s; a day leaves time to notice that a wrong database was restored. */
const MIN_AGE_MS = 24 * 60 * 60_000;
/** Documents that a round removes; the next one goes on. */
const MAX_REMOVED = 10_000;

/**
 * Removes files without a row, which a crash between a file and its row leaves behind. Removes nothing
 * when no file at all has a row: then the store is more likely that of another database than full of waste.
 * @param stopping ends the round early; the next one starts again
 */
export async function sweepDocuments(
  { db, documents, clock, log }: Context,
  stopping?: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - MIN_AGE_MS);
  let withRow = 0;
  const orphans: string[] = [];
  for await (const keys of documents.listPutBefore(before)) {
    if (stopping?.aborted === true) return;
    const known = new Set(await knownStorageKeys(db, keys));
    withRow += known.size;
    orphans.push(...keys.filter((key) => !known.has(key)));
    if (orphans.length >= MAX_REMOVED) break;
  }
  if (orphans.length === 0) return;
  if (withRow === 0) {
    log.warn({ files: orphans.length }, 'no uploaded file has a row; none removed');
    return;
  }
  let files = 0;
  for (const key of orphans) {
    if (stopping?.aborted === true) break;
    await documents.remove(key);
    files += 1;
  }
  log.info({ files }, 'uploads without a row removed');
}

/** Those of the storage keys that a document or a privacy package has. */
async function knownStorageKeys(db: Db, keys: string[]): Promise<string[]> {
  const rows = await query<{ key: OnboardingDocumentRow['storageKey'] }>(
    db,
    `SELECT storage_key AS key FROM onboarding_documents WHERE storage_key = ANY($1)
     UNION SELECT storage_key FROM privacy_packages WHERE storage_key = ANY($1)`,
    [keys],
  );
  return rows.map(({ key }) => key);
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
  const document = await db.manager.findOneBy(OnboardingDocumentRow, { id: documentId });
  if (document === null) return;
  const sealed = await documents.get(document.storageKey);
  const resealed = sealer.reseal(sealed, PURPOSE.document, documentId);
  if (resealed === undefined) return;
  const storageKey = await documents.put(resealed);
  const before = { id: documentId, storageKey: document.storageKey };
  const { affected } = await db.manager.update(OnboardingDocumentRow, before, { storageKey });
  if (affected === 0) await documents.remove(storageKey);
}
