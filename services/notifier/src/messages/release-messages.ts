import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Database } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { MAX_SMS_ASKED, unknownNumbersCall } from '@fiado/contracts/unknown-numbers';
import type { MessageSender } from './message-sender';

/**
 * One round: releases messages to numbers that a wholesaler set and no code has proved, oldest first, as many as
 * accounts allows. The others wait until they expire.
 * @throws AppError SERVICE_UNAVAILABLE when accounts cannot be asked; then they wait
 */
export async function releaseMessagesToUnknown({
  db,
  accounts,
  sender,
}: {
  db: Database;
  accounts: InternalClient;
  sender: MessageSender;
}): Promise<void> {
  const waiting = await query<{ wholesalerId: string; wanted: number }>(
    db,
    `SELECT unproven_by AS "wholesalerId", least(count(*), $1)::integer AS wanted FROM messages
      WHERE unproven_by IS NOT NULL AND status = 'pending' AND expires_at > now()
      GROUP BY unproven_by`,
    [MAX_SMS_ASKED],
  );
  for (const { wholesalerId, wanted } of waiting) {
    const { allowed } = await accounts.ask(unknownNumbersCall, { wholesalerId, wanted });
    if (allowed === 0) continue;
    await query(
      db,
      `UPDATE messages SET unproven_by = NULL, status_reason = NULL, next_attempt_at = now()
        WHERE id = ANY (ARRAY(
          SELECT id FROM messages
           WHERE unproven_by = $1 AND status = 'pending' AND expires_at > now()
           ORDER BY created_at, id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [wholesalerId, allowed],
    );
    sender.wake();
  }
}
