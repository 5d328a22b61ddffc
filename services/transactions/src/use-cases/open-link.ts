import { query } from '@fiado/shared/chassis/db/query';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { LinkState } from '@fiado/shared/contracts/links';
import { AppError } from '@fiado/shared/contracts/errors';
import { PHONE_PURPOSE, smsRows } from '@fiado/shared/contracts/jobs/send-message';
import { maskPhone } from '@fiado/shared/phone';
import { resend } from '@fiado/shared/verification/verifications';
import type { Context } from '../context';
import { findLinkedTransaction, type LinkedTransaction } from '../db/links.repository';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';

/** Why the page asks: the first look sends the code, a look again does not, a wish does. */
export type SendCode = 'if-never-sent' | 'again';

/**
 * What the page behind a link may show before the code is in: whether it still waits, and the end of
 * the phone that the code went to. Sends the code when the page is opened first, or on wish.
 * @throws AppError TRANSACTION_NOT_FOUND, TOO_MANY_ATTEMPTS
 */
export async function openLink(
  context: Context,
  transactionId: string,
  send: SendCode,
): Promise<LinkState> {
  const linked = await findLinkedTransaction(context.db, transactionId);
  if (linked === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (isAbandoned(linked.status)) return { state: 'ended' };
  if (!awaitsConfirmation(linked.status)) return { state: 'confirmed' };

  const phone = context.sealer.open(linked.phoneSealed, PHONE_PURPOSE);
  await sendCode(context, linked, phone, send);
  return { state: 'waiting', phoneMasked: maskPhone(phone) };
}

async function sendCode(
  context: Context,
  linked: LinkedTransaction,
  phone: string,
  send: SendCode,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const [verification] = await query<{ sends: number }>(
      tx,
      'SELECT sends FROM verifications WHERE id = $1 FOR UPDATE',
      [linked.verificationId],
    );
    if (send === 'if-never-sent' && verification?.sends !== 0) return;
    const { code, expiresAt } = await resend(tx, context.config.CODE_PEPPER, linked.verificationId);
    await appendToOutbox(
      tx,
      smsRows(context.sealer, {
        template: 'order-code',
        phone,
        values: { code, amountCents: linked.amountCents, wholesaler: linked.wholesalerName },
        wholesalerId: linked.wholesalerId,
        subjectId: linked.id,
        expiresAt,
      }),
    );
  });
  context.relay.wake();
}
