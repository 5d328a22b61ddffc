import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { auditRows } from '@fiado/chassis/outbox/audit-rows';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Caller } from '@fiado/contracts/caller';
import type { MessageTemplate } from '@fiado/contracts/jobs/send-message';
import { liveMessagesCall, MAX_LIVE_QUESTION } from '@fiado/contracts/live-messages';
import type { Context } from '../context';
import { findUnknown, insertAgain, lockResends, type UnknownMessage } from '../db/resend-unknown';

export interface ResendUnknown {
  by: Caller;
  /** Only messages that were made since then. */
  since: Date;
  /** Counts, and sends nothing. */
  dryRun: boolean;
  /** nextCursor of the call before. */
  cursor?: string | undefined;
}

export interface ResentMessages {
  /** Unknown messages of this page that are neither expired nor followed by a newer one. */
  unknown: number;
  /** Those whose purpose is still alive. In a dry run they would be sent. */
  resent: number;
  nextCursor: string | null;
}

/** The service that knows whether a message still has a purpose. */
const OWNERS: Partial<Record<MessageTemplate, 'accounts' | 'transactions' | 'payments'>> = {
  'verification-code': 'accounts',
  'order-code': 'transactions',
  'delivery-word': 'transactions',
  'payment-due': 'payments',
  'payment-overdue': 'payments',
};

/**
 * Makes new messages of a page of those of which nobody knows whether they were sent, where the purpose is still
 * alive. A store may get such an SMS twice (docs/adr/0004-at-most-once-sms.md): a person decides that.
 * @throws AppError SERVICE_UNAVAILABLE when a service cannot be asked; then nothing was sent
 */
export async function resendUnknown(
  context: Context,
  { by, since, dryRun, cursor }: ResendUnknown,
): Promise<ResentMessages> {
  const { db, senders, sender, relay } = context;
  const page = { since, afterId: cursor, limit: MAX_LIVE_QUESTION };
  // The services are asked outside the database transaction.
  const unknown = await findUnknown(db, page);
  const live = new Set(await findLive(senders, unknown));
  let resent = live.size;
  if (!dryRun && live.size > 0) {
    await db.transaction(async (tx) => {
      await lockResends(tx);
      const again = (await findUnknown(tx, page)).filter(({ id }) => live.has(id));
      resent = again.length;
      if (resent === 0) return;
      await insertAgain(
        tx,
        again.map(({ id }) => id),
      );
      const details = { since: since.toISOString(), resent };
      await appendToOutbox(tx, auditRows(by, { action: 'messages.resent', details }));
    });
    relay.wake();
    sender.wake();
  }
  const nextCursor = unknown.length < MAX_LIVE_QUESTION ? null : (unknown.at(-1)?.id ?? null);
  return { unknown: unknown.length, resent, nextCursor };
}

/** What only informs, such as a received payment, is alive until it expires. */
async function findLive(senders: InternalClient[], unknown: UnknownMessage[]): Promise<string[]> {
  const informing = unknown.filter(({ template }) => OWNERS[template] === undefined);
  const answers = await Promise.all(
    senders.map(async (sender) => {
      const messages = unknown
        .filter(({ template }) => OWNERS[template] === sender.name)
        .map(({ id: messageId, template, subjectId, verificationId }) => ({
          messageId,
          template,
          subjectId,
          ...(verificationId !== null && { verificationId }),
        }));
      if (messages.length === 0) return [];
      const { messageIds } = await sender.ask(liveMessagesCall, { messages });
      return messageIds;
    }),
  );
  return [...informing.map(({ id }) => id), ...answers.flat()];
}
