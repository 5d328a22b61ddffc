import type { Db } from '../db/database';
import { query } from '../db/query';

/**
 * Records that a job is done, in the same database transaction as its effect.
 * @returns false if it was done before: the queue may deliver a job twice
 */
export async function enterInbox(tx: Db, messageId: string): Promise<boolean> {
  const rows = await query(
    tx,
    'INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id',
    [messageId],
  );
  return rows.length === 1;
}
