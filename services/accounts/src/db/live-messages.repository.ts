import type { Db } from '@fiado/shared/chassis/db/database';
import { query } from '@fiado/shared/chassis/db/query';
import type { LiveMessagesQuestion } from '@fiado/shared/contracts/live-messages';

/** The messages whose verification is still pending. */
export async function findLiveMessages(
  db: Db,
  messages: LiveMessagesQuestion['messages'],
): Promise<string[]> {
  const live = await query<{ messageId: string }>(
    db,
    `SELECT "messageId"
       FROM json_to_recordset($1::json)
         AS message ("messageId" uuid, template text, "subjectId" uuid, "verificationId" uuid)
      WHERE EXISTS (SELECT FROM verifications
                     WHERE id = "verificationId" AND status = 'pending')`,
    [JSON.stringify(messages)],
  );
  return live.map(({ messageId }) => messageId);
}
