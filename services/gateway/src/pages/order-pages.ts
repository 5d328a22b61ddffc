import { isUUID } from 'class-validator';
import type { Request, RequestHandler } from 'express';
import { textParam } from '@fiado/chassis/http/request';
import { AppError } from '@fiado/contracts/errors';
import {
  acceptLinkCall,
  checkLinkCodeCall,
  openLinkCall,
  type AcceptLinkQuestion,
  type CheckLinkCodeQuestion,
  type LinkedOrder,
  type OpenLinkQuestion,
} from '@fiado/contracts/links';
import { paymentCall, type PaymentQuestion } from '@fiado/contracts/debts';
import type { Context } from '../context';
import { isRefusal } from './answer-failure';
import {
  MAY_NOT_BUY,
  NOT_SIX_DIGITS,
  PHONE_HELD,
  SENT_AGAIN,
  TOO_LATE,
  TOO_MANY_CODES,
  TOO_MANY_SENDS,
  waitingPage,
  WRONG_CODE,
} from './code-views';
import { qrCode } from './formats';
import { codeIn, textIn } from './forms';
import type { Notice, Page } from './layout';
import {
  debtLaterPage,
  debtPage,
  ENDED_PAGE,
  FIRST_STEP,
  PAID_PAGE,
  receiptPage,
  summaryPage,
} from './order-views';
import { sendPage } from './send-page';

const WORDS = {
  title: 'Confirma tu pedido',
  need: 'Para ver tu pedido y confirmarlo',
  button: 'Ver mi pedido',
  progress: FIRST_STEP,
};

/** GET /pedido/{transactionId}. Sends no SMS: chats open links to show a preview of them. */
export function handleOpenOrder(context: Context): RequestHandler {
  return async (req, res) => {
    const notice = req.query.aviso === 'enviado' ? SENT_AGAIN : undefined;
    sendPage(res, await pageOfLink(context, transactionIdOf(req), notice));
  };
}

/** POST /pedido/{transactionId}: the form with the code. */
export function handleTypeOrderCode(context: Context): RequestHandler {
  return async (req, res) => {
    sendPage(res, await pageAfterCode(context, transactionIdOf(req), codeIn(req.body)));
  };
}

/** POST /pedido/{transactionId}/aceptar: then back, where the receipt is. */
export function handleAcceptOrder(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = transactionIdOf(req);
    const command: AcceptLinkQuestion = { transactionId, pass: textIn(req.body, 'pass') };
    try {
      await context.transactions.tell(acceptLinkCall, command);
    } catch (error) {
      if (isRefusal(error, 'VERIFICATION_NOT_VALID')) {
        sendPage(res, await pageOfLink(context, transactionId, whyNotAccepted(error)));
        return;
      }
      // Pressed twice: it was accepted before.
      if (!isRefusal(error, 'TRANSACTION_IS_VERIFIED')) throw error;
    }
    res.redirect(303, pathOf(transactionId));
  };
}

/** POST /pedido/{transactionId}/enviar: sends the first code, once however often it is pressed. */
export function handleSendOrderCode(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = transactionIdOf(req);
    const wish: OpenLinkQuestion = { transactionId, sendCode: 'if-never-sent' };
    await context.transactions.tell(openLinkCall, wish);
    res.redirect(303, pathOf(transactionId));
  };
}

/** POST /pedido/{transactionId}/reenviar: then back, so that a reload sends nothing. */
export function handleResendOrderCode(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = transactionIdOf(req);
    const wish: OpenLinkQuestion = { transactionId, sendCode: 'again' };
    try {
      await context.transactions.tell(openLinkCall, wish);
      res.redirect(303, `${pathOf(transactionId)}?aviso=enviado`);
    } catch (error) {
      if (!isRefusal(error, 'TOO_MANY_ATTEMPTS')) throw error;
      sendPage(res, await pageOfLink(context, transactionId, TOO_MANY_SENDS));
    }
  };
}

function whyNotAccepted({ fields: { reason } }: AppError): Notice {
  if (reason === 'store-not-eligible') return MAY_NOT_BUY;
  return reason === 'phone-held' ? PHONE_HELD : TOO_LATE;
}

/** GET of the address that a button posts to, which stays in the browser after a refusal. */
export function handleLeaveButton(): RequestHandler {
  return (req, res) => {
    res.redirect(303, pathOf(transactionIdOf(req)));
  };
}

async function pageAfterCode(
  context: Context,
  transactionId: string,
  code: string | undefined,
): Promise<Page> {
  // A malformed code does not use up one of its five checks.
  if (code === undefined) return pageOfLink(context, transactionId, NOT_SIX_DIGITS);
  const attempt: CheckLinkCodeQuestion = { transactionId, code };
  try {
    const checked = await context.transactions.tell(checkLinkCodeCall, attempt);
    return summaryPage(pathOf(transactionId), checked);
  } catch (error) {
    if (isRefusal(error, 'TRANSACTION_IS_VERIFIED')) return pageOfLink(context, transactionId);
    // The code is wrong, expired or used up, or the order has ended, which the next request shows.
    if (isRefusal(error, 'VERIFICATION_NOT_VALID')) {
      return pageOfLink(context, transactionId, WRONG_CODE);
    }
    if (isRefusal(error, 'TOO_MANY_ATTEMPTS')) {
      return pageOfLink(context, transactionId, TOO_MANY_CODES);
    }
    throw error;
  }
}

async function pageOfLink(context: Context, transactionId: string, notice?: Notice): Promise<Page> {
  const question: OpenLinkQuestion = { transactionId, sendCode: 'never' };
  const link = await context.transactions.ask(openLinkCall, question);
  if (link.state === 'ended') return ENDED_PAGE;
  if (link.state === 'paid') return PAID_PAGE;
  if (link.state === 'waiting') {
    return waitingPage({ ...link, words: WORDS, path: pathOf(transactionId), notice });
  }
  if (link.state === 'confirmed') return receiptPage(link.order);
  const { wholesalerId, order } = link;
  return pageOfDebt(context, { transactionId, wholesalerId }, order);
}

async function pageOfDebt(
  { payments, lender, log }: Context,
  question: PaymentQuestion,
  order: LinkedOrder,
): Promise<Page> {
  try {
    const payment = await payments.ask(paymentCall, question);
    if (payment.status === 'paid') return PAID_PAGE;
    return debtPage(order, { payment, qr: await qrCode(payment.idFactura) }, lender);
  } catch (error) {
    // The order is transactions', so its page opens without payments.
    log.warn({ err: error }, 'the debt of an order could not be shown on its page');
    return debtLaterPage(order);
  }
}

/** @throws AppError TRANSACTION_NOT_FOUND for what is no id: the service would not understand it */
function transactionIdOf(req: Request): string {
  const transactionId = textParam(req, 'transactionId');
  if (!isUUID(transactionId)) throw new AppError('TRANSACTION_NOT_FOUND');
  return transactionId;
}

function pathOf(transactionId: string): string {
  return `/pedido/${transactionId}`;
}
