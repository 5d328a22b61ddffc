import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import {
  type LinkCodeState,
  type LinkState,
  openLinkCall,
  type OpenLinkQuestion,
} from '@fiado/contracts/links';
import { maskPhone } from '@fiado/contracts/phone';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import { sendCodeAgain } from '../codes/resend-code';
import type { Context } from '../context';
import { requireMayGetCodes } from '../credit-lines/phone-hold.sql';
import { requireOrderView } from '../orders/order-view';
import { awaitsConfirmation, isAbandoned } from '../orders/order.rules';
import { MAX_WRONG_CODES_OF_LINK, type OrderOfLink, presentLinked, requireLinked } from './link';
import { VerificationRow } from '../codes/verification.entity';

export const openLinkEndpoint = internalEndpoint({
  call: openLinkCall,
  allow: ['service:gateway'],
  handle: openLink,
});

/**
 * The data that the page of a link may show. Before the order is confirmed: the last digits of the
 * phone and the state of the code. Then the order, until it is paid. Sends the code if a button was
 * pressed.
 * @throws AppError TRANSACTION_NOT_FOUND, TOO_MANY_ATTEMPTS
 */
export async function openLink(
  context: Context,
  { transactionId, sendCode: send }: OpenLinkQuestion,
): Promise<LinkState> {
  const linked = await requireLinked(context.db, transactionId);
  if (isAbandoned(linked.status)) return { state: 'ended' };
  if (linked.status === 'paid') return { state: 'paid' };
  if (!awaitsConfirmation(linked.status)) return openConfirmed(context, linked);

  const phone = context.sealer.open(linked.phoneSealed, PHONE_PURPOSE, linked.cornerStoreId);
  if (send !== 'never') await sendCode(context, linked, phone, send);
  const now = send === 'never' ? linked : await requireLinked(context.db, transactionId);
  return {
    state: 'waiting',
    phoneMasked: maskPhone(phone),
    code: codeStateOf(now),
    checksLeft: checksLeftOf(now),
  };
}

function checksLeftOf({ pageChecks, pageWrongCodes }: OrderOfLink): number {
  return Math.max(0, Math.min(MAX_CHECKS - pageChecks, MAX_WRONG_CODES_OF_LINK - pageWrongCodes));
}

async function openConfirmed(
  context: Context,
  { id: transactionId, wholesalerId, status }: OrderOfLink,
): Promise<LinkState> {
  const order = await requireOrderView(context.db, wholesalerId, { transactionId });
  const state = status === 'on-hold' ? 'confirmed' : 'delivered';
  return { state, wholesalerId, order: presentLinked(context, order) };
}

function codeStateOf({ codeSent, codeIsVoid, ...code }: OrderOfLink): LinkCodeState {
  if (!codeSent) return 'unsent';
  if (code.codeIsUsedUp) return 'used-up';
  // A code to the phone that the store had before is as good as expired.
  return code.codeIsExpired || codeIsVoid ? 'expired' : 'valid';
}

async function sendCode(
  context: Context,
  linked: OrderOfLink,
  phone: string,
  send: 'if-never-sent' | 'again',
): Promise<void> {
  if (send === 'if-never-sent' && linked.codeSent) return;
  await context.db.transaction(async (tx) => {
    await requireMayGetCodes(tx, linked);
    const verification = await tx.manager.findOne(VerificationRow, {
      where: { id: linked.verificationId },
      lock: { mode: 'pessimistic_write' },
    });
    if (send === 'if-never-sent' && verification?.sends !== 0) return;
    await sendCodeAgain(context, tx, linked, { phone });
  });
}
