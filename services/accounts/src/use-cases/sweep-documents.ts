import { Loop } from '@fiado/chassis/loop';
import type { Context } from '../context';
import { knownStorageKeys } from '../db/onboarding.repository';

/** Nothing depends on the removal of the files, and a list of an S3 store costs money. */
const EVERY_MS = 24 * 60 * 60_000;
/** An upload takes at most 20 s; a day leaves time to notice that a wrong database was restored. */
const MIN_AGE_MS = 24 * 60 * 60_000;
/** Documents that a round removes; the next one goes on. */
const MAX_REMOVED = 10_000;

/** Removes files without a row, which a crash between a file and its row leaves behind. */
export function createDocumentSweep(context: Context): Loop {
  return new Loop(context.log, {
    name: 'document-sweep',
    everyMs: EVERY_MS,
    round: (stopping) => sweepDocuments(context, stopping),
  });
}

/**
 * One round. It removes nothing when no file at all has a row: then the store is more likely that
 * of another database than full of waste.
 * @param stopping ends the round early; the next one begins anew
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
