import type { Db } from '@fiado/shared/chassis/db/database';
import { query } from '@fiado/shared/chassis/db/query';
import type { LiveMessagesQuestion } from '@fiado/shared/contracts/live-messages';

/** The messages whose order still waits for their code or their delivery word. */
export async function findLiveMessages(
  db: Db,
  messages: LiveMessagesQuestion['messages'],
): Promise<string[]> {
  const live = await query<{ messageId: string }>(
    db,
    `SELECT "messageId"
       FROM json_to_recordset($1::json)
         AS message ("messageId" uuid, template text, "subjectId" uuid, "verificationId" uuid)
      WHERE CASE template
              WHEN 'order-code' THEN EXISTS (
                SELECT FROM verifications JOIN transactions ON transactions.id = transaction_id
                 WHERE verifications.id = "verificationId"
                   AND verifications.status = 'pending'
                   AND transactions.status = 'pending-verification')
              ELSE EXISTS (
                SELECT FROM transactions WHERE id = "subjectId" AND status = 'on-hold') END`,
    [JSON.stringify(messages)],
  );
  return live.map(({ messageId }) => messageId);
}
