import { isUUID } from '@fiado/contracts/class-validator';
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
import { paymentCall, type DeliveredOrderQuestion } from '@fiado/contracts/debts';
import type { Context } from '../context';
import { isRefusal } from './answer-failure';
import type { CodePage } from './code-flow';
import {
  MAY_NOT_BUY,
  PHONE_HELD,
  TOO_LATE,
  TOO_MANY_CODES,
  TOO_MANY_SENDS,
  waitingPage,
} from './code-views';
import { qrCode } from './formats';
import { textIn } from './forms';
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

/** The page /pedido/{transactionId}. */
export function orderPage(context: Context): CodePage {
  return {
    pathOf: (req) => pathOf(transactionIdOf(req)),
    show: (req, _res, notice) => pageOfLink(context, transactionIdOf(req), notice),
    send: (req, sendCode) => {
      const wish: OpenLinkQuestion = { transactionId: transactionIdOf(req), sendCode };
      return context.transactions.tell(openLinkCall, wish);
    },
    check: (req, code) => checkCode(context, { transactionId: transactionIdOf(req), code }),
    tooManySends: TOO_MANY_SENDS,
    tooManyCodes: TOO_MANY_CODES,
  };
}

async function checkCode(
  { transactions }: Context,
  attempt: CheckLinkCodeQuestion,
): Promise<Page | undefined> {
  try {
    const checked = await transactions.tell(checkLinkCodeCall, attempt);
    return summaryPage(pathOf(attempt.transactionId), checked);
  } catch (error) {
    // It was accepted meanwhile: its page shows the receipt.
    if (isRefusal(error, 'TRANSACTION_IS_VERIFIED')) return undefined;
    throw error;
  }
}

/** POST /pedido/{transactionId}/aceptar: accepts, and redirects to the order's page with the receipt. */
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

function whyNotAccepted({ fields: { reason } }: AppError): Notice {
  if (reason === 'store-not-eligible') return MAY_NOT_BUY;
  return reason === 'phone-held' ? PHONE_HELD : TOO_LATE;
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
  question: DeliveredOrderQuestion,
  order: LinkedOrder,
): Promise<Page> {
  try {
    const payment = await payments.ask(paymentCall, question);
    if (payment.status === 'paid') return PAID_PAGE;
    return debtPage(order, { payment, qr: await qrCode(payment.idFactura) }, lender);
  } catch (error) {
    // The order is stored in transactions, so its page opens without payments.
    log.warn({ err: error }, 'the debt of an order could not be shown on its page');
    return debtLaterPage(order);
  }
}

/** @throws AppError TRANSACTION_NOT_FOUND for a malformed id, which the service would refuse as invalid */
function transactionIdOf(req: Request): string {
  const transactionId = textParam(req, 'transactionId');
  if (!isUUID(transactionId)) throw new AppError('TRANSACTION_NOT_FOUND');
  return transactionId;
}

function pathOf(transactionId: string): string {
  return `/pedido/${transactionId}`;
}
