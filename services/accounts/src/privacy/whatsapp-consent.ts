import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import { recordAudit } from '../audit/audit-log';

interface WhatsappConsent {
  by: Pick<Caller, 'kind' | 'id'>;
  userId: string;
}

/** Records that an owner agrees to messages by WhatsApp at the present number. */
export async function agreeToWhatsapp(
  tx: Transaction,
  { by, userId }: WhatsappConsent,
): Promise<void> {
  const agreed = await query(
    tx,
    `UPDATE users SET whatsapp_agreed_at = now(), whatsapp_source = 'page'
      WHERE id = $1 AND whatsapp_agreed_at IS NULL RETURNING id`,
    [userId],
  );
  if (agreed.length > 0) await recordAudit(tx, { by, action: 'whatsapp.agreed', objectId: userId });
}

/** Takes the consent back: messages go by SMS from now on. */
export async function endWhatsapp(tx: Transaction, { by, userId }: WhatsappConsent): Promise<void> {
  const ended = await query(
    tx,
    `UPDATE users SET whatsapp_agreed_at = NULL, whatsapp_source = NULL
      WHERE id = $1 AND whatsapp_agreed_at IS NOT NULL RETURNING id`,
    [userId],
  );
  if (ended.length > 0) await recordAudit(tx, { by, action: 'whatsapp.ended', objectId: userId });
}
