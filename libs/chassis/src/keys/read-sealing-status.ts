import type { SealingStatus } from '@fiado/contracts/data-keys';
import type { Database } from '../db/database';
import { newestHeldByAll, sealingKeyOf } from './data-key-rows';
import { countOldRows, type SealedTable } from './sealed-tables';

/** How far a service is with its data keys. @param tables all its sealed values */
export async function readSealingStatus(
  db: Database,
  tables: SealedTable[],
): Promise<SealingStatus> {
  const { number, sealingFrom } = await sealingKeyOf(db);
  let oldRows = 0;
  for (const table of tables) oldRows += await countOldRows(db, table);
  return {
    held: await newestHeldByAll(db),
    sealing: number,
    sealingSince: sealingFrom.toISOString(),
    oldRows,
  };
}
