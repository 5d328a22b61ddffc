import { query } from '@fiado/chassis/db/query';
import { MAX_DATA_KEYS } from '@fiado/contracts/data-keys';
import type { Context } from '../context';
import { askSealing, type Sealing } from '../steps/ask-sealing';

export interface ShownDataKey {
  number: number;
  createdAt: Date;
  /** Null until it seals. */
  sealingFrom: Date | null;
}

/** The data keys that are not retired, newest first, and how far each service is. */
export async function showDataKeys(
  context: Context,
): Promise<Sealing & { dataKeys: ShownDataKey[] }> {
  const dataKeys = await query<ShownDataKey>(
    context.db,
    `SELECT number, created_at, sealing_from FROM data_keys
      WHERE kind = 'seal' AND retired_at IS NULL ORDER BY number DESC LIMIT $1`,
    [MAX_DATA_KEYS],
  );
  return { dataKeys, ...(await askSealing(context)) };
}
