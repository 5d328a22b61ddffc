import { query } from '../db/query';
import type { GrowingTable } from '../db/retention';
import { sweepFiles } from '../documents/sweep-files';
import { Loop } from '../loop';
import type { ExportsContext } from './exports';

/** Most files that one iteration removes. */
const FILES_OF_A_ROUND = 100;

/** An expired export stays in the list for 90 days. */
export const EXPORTS_TABLE: GrowingTable = {
  name: 'exports',
  key: 'id',
  endedAt: 'expires_at',
  keepHours: 90 * 24,
};

/**
 * Deletes what is left of exports that have expired. The key goes first, so that no copy of a part can be
 * opened even while the store does not answer.
 */
export async function wipeExports({ db, exportFiles }: ExportsContext): Promise<void> {
  await query(
    db,
    `WITH wiped AS (
       UPDATE exports SET status = 'expired', key = NULL
        WHERE status <> 'expired' AND expires_at <= now() RETURNING id)
     DELETE FROM export_links WHERE export_id IN (SELECT id FROM wiped)`,
  );
  const parts = await query<{ storageKey: string }>(
    db,
    `SELECT storage_key FROM export_parts
      WHERE export_id IN (SELECT id FROM exports WHERE status = 'expired') LIMIT $1`,
    [FILES_OF_A_ROUND],
  );
  for (const { storageKey } of parts) {
    await exportFiles.remove(storageKey);
    await query(db, 'DELETE FROM export_parts WHERE storage_key = $1', [storageKey]);
  }
}

/** How often files without a row are looked for, in milliseconds. */
const SWEEP_MS = 3_600_000;

/** The loop that removes files without a row, which a process that is killed leaves behind. */
export function exportSweepLoop(context: ExportsContext): Loop {
  return new Loop(context.log, {
    name: 'sweep exports',
    everyMs: SWEEP_MS,
    round: (stopping) => sweepExports(context, stopping),
  });
}

export function sweepExports(context: ExportsContext, stopping?: AbortSignal): Promise<void> {
  return sweepFiles(context, { store: context.exportFiles, tables: ['export_parts'] }, stopping);
}
