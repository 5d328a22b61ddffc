import { afterBlockCall, type BlockedPerson } from '@fiado/contracts/personal-data';
import type { Db } from '../db/database';
import { query } from '../db/query';
import { internalEndpoint } from '../http/endpoint';
import type { Foundation } from '../service';

/**
 * The endpoint with which accounts asks a service whether it wrote anything for blocked persons since their
 * block. Only accounts knows who is blocked.
 * @param isMade SQL condition on `corner_store_id`, `phone_index` and `since` of a `blocked` person
 */
export const afterBlockEndpoint = (isMade: string) =>
  internalEndpoint({
    call: afterBlockCall,
    allow: ['service:accounts'],
    handle: async ({ db }: Pick<Foundation, 'db'>, { persons }) => ({
      cornerStoreIds: await madeAfterBlock(db, isMade, persons),
    }),
  });

/** @returns the ids of the corner stores whose owners got something since then */
export async function madeAfterBlock(
  db: Db,
  isMade: string,
  persons: BlockedPerson[],
): Promise<string[]> {
  const found = await query<{ cornerStoreId: string }>(
    db,
    `SELECT corner_store_id
       FROM (SELECT "cornerStoreId" AS corner_store_id, decode("phoneIndex", 'base64') AS phone_index, since
               FROM jsonb_to_recordset($1::jsonb)
                 AS person ("cornerStoreId" uuid, "phoneIndex" text, since timestamptz)) blocked
      WHERE ${isMade}`,
    [JSON.stringify(persons)],
  );
  return found.map(({ cornerStoreId }) => cornerStoreId);
}
