import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { knownStorageKeys } from '../db/onboarding.repository';

/** Nothing depends on the removal of the files. */
const EVERY_MS = 60 * 60_000;
/** An upload takes at most 20 s; a day leaves time to notice that a wrong database was restored. */
const MIN_AGE_MS = 24 * 60 * 60_000;
/** Keys of one statement, 32 bytes each. */
const BATCH_SIZE = 1_000;

/** Removes files without a row, which a crash between a file and its row leaves behind. */
export function createDocumentSweep(context: Context): Loop {
  return new Loop(context.log, {
    name: 'document-sweep',
    everyMs: EVERY_MS,
    round: () => sweepDocuments(context),
  });
}

/**
 * One round. It removes nothing when no file at all has a row: then the folder is more likely that
 * of another database than full of waste.
 */
export async function sweepDocuments({ db, documents, clock, log }: Context): Promise<void> {
  const keys = await documents.listPutBefore(new Date(clock.now().getTime() - MIN_AGE_MS));
  const known = new Set<string>();
  for (let from = 0; from < keys.length; from += BATCH_SIZE) {
    for (const key of await knownStorageKeys(db, keys.slice(from, from + BATCH_SIZE))) {
      known.add(key);
    }
  }
  const orphans = keys.filter((key) => !known.has(key));
  if (orphans.length === 0) return;
  if (known.size === 0) {
    log.warn({ files: orphans.length }, 'no uploaded file has a row; none removed');
    return;
  }
  for (const key of orphans) await documents.remove(key);
  log.info({ files: orphans.length }, 'uploads without a row removed');
}
