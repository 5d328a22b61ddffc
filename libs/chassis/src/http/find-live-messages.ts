import { liveMessagesCall } from '@fiado/contracts/live-messages';
import type { Database } from '../db/database';
import { query } from '../db/query';
import { internalEndpoint } from './endpoint';

/**
 * The notifier calls it before it sends messages again.
 * @param isLive SQL condition on `template`, `"subjectId"` and `"verificationId"` of a message
 */
export const findLiveMessagesEndpoint = (isLive: string) =>
  internalEndpoint({
    call: liveMessagesCall,
    allow: ['service:notifier'],
    handle: async ({ db }: { db: Database }, { messages }) => {
      const live = await query<{ messageId: string }>(
        db,
        `SELECT "messageId"
           FROM json_to_recordset($1::json)
             AS message ("messageId" uuid, template text, "subjectId" uuid, "verificationId" uuid)
          WHERE ${isLive}`,
        [JSON.stringify(messages)],
      );
      return { messageIds: live.map(({ messageId }) => messageId) };
    },
  });
