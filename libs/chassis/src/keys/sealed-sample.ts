import type { Database } from '../db/database';
import { createGauge } from '../metrics';
import type { Sample } from '../sampler';
import { countOldRows, type SealedTable } from './sealed-tables';

/** A rotation takes hours: nobody looks more often. */
const COUNT_MS = 60_000;

const oldRows = createGauge(
  'fiado_sealed_with_old_key_rows',
  'Rows that may hold values of an older data key, by table; counted up to 100,000',
  ['table'],
);

/** How many rows are left to seal with the newest key. */
export function sealedSample(db: Database, tables: SealedTable[]): Sample {
  return {
    name: 'sealed rows',
    everyMs: COUNT_MS,
    read: async () => {
      const readings = [];
      for (const table of tables) {
        readings.push(oldRows({ table: table.table }, await countOldRows(db, table)));
      }
      return readings;
    },
  };
}
