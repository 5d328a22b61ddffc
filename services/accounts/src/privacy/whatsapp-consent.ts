import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import { recordAudit } from '../audit/audit-log';

interface WhatsappConsent {
  by: Pick<Caller, 'kind' | 'id'>;
  userId: string;
  agrees: boolean;
}

/**
 * Records that an owner agrees to messages by WhatsApp at the present number, or takes the consent back: then messages
 * go by SMS from now on.
 */
export async function setWhatsappConsent(
  tx: Transaction,
  { by, userId, agrees }: WhatsappConsent,
): Promise<void> {
  const changed = await query(
    tx,
    `UPDATE users SET whatsapp_agreed_at = CASE WHEN $2 THEN now() END,
                      whatsapp_source = CASE WHEN $2 THEN 'page' END
      WHERE id = $1 AND (whatsapp_agreed_at IS NOT NULL) <> $2::boolean RETURNING id`,
    [userId, agrees],
  );
  if (changed.length === 0) return;
  const action = agrees ? 'whatsapp.agreed' : 'whatsapp.ended';
  await recordAudit(tx, { by, action, objectId: userId });
}
