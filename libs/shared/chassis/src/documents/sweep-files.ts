import type { Clock } from '@fiado/contracts/clock';
import type { Db } from '../db/database';
import { query } from '../db/query';
import type { Logger } from '../logger';
import type { DocumentStore } from './document-store';

/** A file gets its row within a minute; a day leaves time to notice that a wrong database was restored. */
const MIN_AGE_MS = 24 * 60 * 60_000;
/** Most files that an iteration removes. */
const MAX_REMOVED = 10_000;

/**
 * Removes files without a row. A crash after a file is written and before its row is leaves such files.
 * When no file has a row, the store probably belongs to another database: then nothing is removed.
 * @param tables whose `storage_key` names a file; names of ours
 * @param stopping ends the round early; the next one starts again
 */
export async function sweepFiles(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  { store, tables }: { store: DocumentStore; tables: string[] },
  stopping?: AbortSignal,
): Promise<void> {
  const known = tables.map(
    (table) => `SELECT storage_key FROM ${table} WHERE storage_key = ANY($1)`,
  );
  let withRow = 0;
  const orphans: string[] = [];
  for await (const keys of store.listPutBefore(new Date(clock.now().getTime() - MIN_AGE_MS))) {
    if (stopping?.aborted === true) return;
    const rows = await query<{ storageKey: string }>(db, known.join(' UNION '), [keys]);
    const ofRows = new Set(rows.map(({ storageKey }) => storageKey));
    withRow += ofRows.size;
    orphans.push(...keys.filter((key) => !ofRows.has(key)));
    if (orphans.length >= MAX_REMOVED) break;
  }
  if (orphans.length === 0) return;
  if (withRow === 0) {
    log.warn({ tables, files: orphans.length }, 'no file has a row; none removed');
    return;
  }
  let files = 0;
  for (const key of orphans) {
    if (stopping?.aborted === true) break;
    await store.remove(key);
    files += 1;
  }
  log.info({ tables, files }, 'files without a row removed');
}
