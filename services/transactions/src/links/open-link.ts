import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { newCodeSaltFor } from '@fiado/chassis/verification/code';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { type LinkCodeState, openLinkCall, type SendCode } from '@fiado/contracts/links';
import { maskPhone } from '@fiado/contracts/phone';
import { resendOrderCode } from '../codes/resend-code';
import type { Context } from '../context';
import { requireFitsPhoneHold } from '../credit-lines/phone-hold.sql';
import { findTransactionView, type TransactionView } from '../orders/order-view';
import { awaitsConfirmation, isAbandoned } from '../orders/order.rules';
import { type LinkedTransaction, presentLinked, requireLinked } from './link';

export const openLinkEndpoint = internalEndpoint({
  call: openLinkCall,
  allow: ['service:gateway'],
  handle: async (context: Context, question) => {
    const opened = await openLink(context, question);
    if (!('transaction' in opened)) return opened;
    const { transaction, ...link } = opened;
    return { ...link, order: presentLinked(context, transaction) };
  },
});

export type OpenedLink =
  | { state: 'waiting'; phoneMasked: string; code: LinkCodeState }
  | { state: 'confirmed' | 'delivered'; wholesalerId: string; transaction: TransactionView }
  | { state: 'paid' }
  | { state: 'ended' };

/**
 * The data that the page of a link may show. Before the order is confirmed: the last digits of the
 * phone and the state of the code. Then the order, until it is paid. Sends the code if a button was
 * pressed.
 * @throws AppError TRANSACTION_NOT_FOUND, TOO_MANY_ATTEMPTS
 */
export async function openLink(
  context: Context,
  { transactionId, sendCode: send }: { transactionId: string; sendCode: SendCode },
): Promise<OpenedLink> {
  const linked = await requireLinked(context.db, transactionId);
  if (isAbandoned(linked.status)) return { state: 'ended' };
  if (linked.status === 'paid') return { state: 'paid' };
  if (!awaitsConfirmation(linked.status)) return openConfirmed(context, linked);

  const phone = context.sealer.open(linked.phoneSealed, PHONE_PURPOSE, linked.cornerStoreId);
  if (send !== 'never') await sendCode(context, linked, phone, send);
  return {
    state: 'waiting',
    phoneMasked: maskPhone(phone),
    code: codeStateOf(send === 'never' ? linked : await requireLinked(context.db, transactionId)),
  };
}

async function openConfirmed(
  { db }: Context,
  { id: transactionId, wholesalerId, status }: LinkedTransaction,
): Promise<OpenedLink> {
  const transaction = await findTransactionView(db, wholesalerId, { transactionId });
  if (transaction === undefined) throw new Error('An order that has a link must be found');
  return { state: status === 'on-hold' ? 'confirmed' : 'delivered', wholesalerId, transaction };
}

function codeStateOf({ codeSent, codeIsVoid, ...code }: LinkedTransaction): LinkCodeState {
  if (!codeSent) return 'unsent';
  if (code.codeIsUsedUp) return 'used-up';
  // A code to the phone that the store had before is as good as expired.
  return code.codeIsExpired || codeIsVoid ? 'expired' : 'valid';
}

async function sendCode(
  context: Context,
  linked: LinkedTransaction,
  phone: string,
  send: 'if-never-sent' | 'again',
): Promise<void> {
  if (send === 'if-never-sent' && linked.codeSent) return;
  await context.db.transaction(async (tx) => {
    await requireFitsPhoneHold(tx, linked);
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
