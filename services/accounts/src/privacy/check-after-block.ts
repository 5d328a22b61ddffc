import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  afterBlockCall,
  type BlockedPerson,
  MAX_BLOCKED_QUESTION,
} from '@fiado/contracts/after-block';
import type { Context } from '../context';

/** An order or an SMS that was under way at the block may still come: retries of a job last some minutes. */
const UNDER_WAY = '1 hour';

/** A blocked corner store that got what it should not. */
interface AfterBlock {
  cornerStoreId: string;
  got: 'order' | 'message';
}

/**
 * The blocked stores among these that got an order or a message since their block. Only accounts knows of
 * the block, so it asks the services that make them.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function findAfterBlock(
  { transactions, messages }: Pick<Context, 'transactions' | 'messages'>,
  db: Db,
  ids: string[],
): Promise<AfterBlock[]> {
  const blocked = await query<Omit<BlockedPerson, 'since'> & { since: Date }>(
    db,
    `SELECT s.id AS "cornerStoreId", encode(u.phone_index, 'base64') AS "phoneIndex",
            s.blocked_at + interval '${UNDER_WAY}' AS since
       FROM corner_stores s JOIN users u ON u.id = s.user_id
      WHERE s.id = ANY($1) AND s.blocked_at IS NOT NULL`,
    [ids],
  );
  const found: AfterBlock[] = [];
  for (let at = 0; at < blocked.length; at += MAX_BLOCKED_QUESTION) {
    const persons = blocked
      .slice(at, at + MAX_BLOCKED_QUESTION)
      .map((person) => ({ ...person, since: person.since.toISOString() }));
    const ask = async (client: InternalClient, got: AfterBlock['got']): Promise<AfterBlock[]> =>
      (await client.ask(afterBlockCall, { persons })).cornerStoreIds.map((cornerStoreId) => ({
        cornerStoreId,
        got,
      }));
    found.push(...(await ask(transactions, 'order')), ...(await ask(messages, 'message')));
  }
  return found;
}
