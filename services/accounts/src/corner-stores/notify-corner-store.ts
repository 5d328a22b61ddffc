import { query } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { AppError } from '@fiado/contracts/errors';
import type { NotifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import type { MessageValues } from '@fiado/contracts/message-catalogue';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import type { UserRow } from './user.entity';

/**
 * Sends a message of payments to the present phone of a corner store, with its supplier’s name, once for each job. A
 * reminder is dropped if the owner has opposed reminders since.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function notifyStore(
  { db, sealer }: Context,
  messageId: string,
  { kind, cornerStoreId, wholesalerId, subjectId, values, expiresAt }: NotifyCornerStore,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const [store] = await query<{
      phone: Buffer | null;
      unprovenBy: UserRow['phoneUnprovenBy'];
      wholesaler: string | null;
      opposes: boolean;
      byWhatsapp: boolean;
    }>(
      tx,
      `SELECT CASE WHEN s.blocked_at IS NULL THEN u.phone END AS phone,
              u.phone_unproven_by AS "unprovenBy",
              s.opposed_at IS NOT NULL AS opposes,
              u.whatsapp_agreed_at IS NOT NULL AS "byWhatsapp",
              (SELECT name FROM wholesalers WHERE id = $2) AS wholesaler
         FROM corner_stores s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
      [cornerStoreId, wholesalerId],
    );
    if (store === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
    // A blocked owner's data are not used any more.
    if (store.phone === null || (store.opposes && kind === 'payment-due')) return;
    await appendToOutbox(
      tx,
      smsRows(sealer, {
        template: kind,
        phone: sealer.open(store.phone, PURPOSE.phone, cornerStoreId),
        unprovenBy: store.unprovenBy,
        byWhatsapp: store.byWhatsapp && store.unprovenBy === null,
        values: { ...values, wholesaler: store.wholesaler ?? '' } as MessageValues[typeof kind],
        ...(wholesalerId === undefined ? {} : { wholesalerId }),
        subjectId,
        expiresAt: new Date(expiresAt),
      }),
    );
  });
}
