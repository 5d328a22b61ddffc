import { query } from '@fiado/shared/chassis/db/query';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { LinkState, SendCode } from '@fiado/shared/contracts/links';
import { AppError } from '@fiado/shared/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/shared/contracts/jobs/send-message';
import { smsRows } from '@fiado/shared/chassis/outbox/sms-rows';
import { maskPhone } from '@fiado/shared/phone';
import { newCodeSaltFor } from '@fiado/shared/verification/code';
import type { Context } from '../context';
import { findLinkedTransaction, type LinkedTransaction } from '../db/links.repository';
import { resendOrderCode } from '../db/resend-order-code';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';

/**
 * The data that the page of a link may show before the order is confirmed: its status, the last
 * digits of the phone, and whether the code was sent. Sends the code if a button was pressed.
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

  const phone = context.sealer.open(linked.phoneSealed, PHONE_PURPOSE, linked.cornerStoreId);
  if (send !== 'never') await sendCode(context, linked, phone, send);
  return {
    state: 'waiting',
    phoneMasked: maskPhone(phone),
    codeSent: linked.codeSent || send !== 'never',
  };
}

async function sendCode(
  context: Context,
  linked: LinkedTransaction,
  phone: string,
  send: 'if-never-sent' | 'again',
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const [verification] = await query<{ sends: number }>(
      tx,
      'SELECT sends FROM verifications WHERE id = $1 FOR UPDATE',
      [linked.verificationId],
    );
    if (send === 'if-never-sent' && verification?.sends !== 0) return;
    const { code, expiresAt } = await resendOrderCode(tx, context.config.CODE_PEPPER, {
      ...linked,
      newSalt: newCodeSaltFor(context.config, phone),
    });
    await appendToOutbox(
      tx,
      smsRows(context.sealer, {
        template: 'order-code',
        phone,
        values: { code, amountCents: linked.amountCents, wholesaler: linked.wholesalerName },
        wholesalerId: linked.wholesalerId,
        subjectId: linked.id,
        verificationId: linked.verificationId,
        expiresAt,
      }),
    );
  });
  context.relay.wake();
}
