import { isUUID } from 'class-validator';
import type { Request, RequestHandler } from 'express';
import { textParam } from '@fiado/shared/chassis/http/params';
import { AppError } from '@fiado/shared/contracts/errors';
import type {
  ConfirmedLink,
  ConfirmLinkQuestion,
  LinkState,
  OpenLinkQuestion,
} from '@fiado/shared/contracts/links';
import type { Context } from '../context';
import type { Page } from './layout';
import {
  ALREADY_CONFIRMED_PAGE,
  codeNotSentPage,
  confirmedPage,
  ENDED_PAGE,
  waitingPage,
  type Notice,
} from './order-views';
import { sendPage } from './send-page';

const OPEN_PATH = '/internal/links/open';
const CONFIRM_PATH = '/internal/links/confirm';

/** Query that tells a page after a redirect which notice to show. */
const SENT_AGAIN = 'aviso=enviado';

const SIX_DIGITS = /^\d{6}$/;

/** GET /pedido/{transactionId}. Sends no SMS: chats open links to show a preview of them. */
export function handleOpenOrder(context: Context): RequestHandler {
  return async (req, res) => {
    const notice = req.query.aviso === 'enviado' ? 'sent-again' : undefined;
    sendPage(res, await pageOfLink(context, transactionIdOf(req), notice));
  };
}

/** POST /pedido/{transactionId}: the form with the code. */
export function handleConfirmOrder(context: Context): RequestHandler {
  return async (req, res) => {
    sendPage(res, await pageAfterCode(context, transactionIdOf(req), codeIn(req.body)));
  };
}

/** POST /pedido/{transactionId}/enviar: sends the first code, once however often it is pressed. */
export function handleSendOrderCode(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = transactionIdOf(req);
    const wish: OpenLinkQuestion = { transactionId, sendCode: 'if-never-sent' };
    await context.transactions.tell<LinkState>(OPEN_PATH, wish);
    res.redirect(303, pathOf(transactionId));
  };
}

/** POST /pedido/{transactionId}/reenviar: then back, so that a reload sends nothing. */
export function handleResendOrderCode(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = transactionIdOf(req);
    const wish: OpenLinkQuestion = { transactionId, sendCode: 'again' };
    try {
      await context.transactions.tell<LinkState>(OPEN_PATH, wish);
      res.redirect(303, `${pathOf(transactionId)}?${SENT_AGAIN}`);
    } catch (error) {
      if (!isRefusal(error, 'TOO_MANY_ATTEMPTS')) throw error;
      sendPage(res, await pageOfLink(context, transactionId, 'too-many-sends'));
    }
  };
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
  if (code === undefined) return pageOfLink(context, transactionId, 'not-six-digits');
  const attempt: ConfirmLinkQuestion = { transactionId, code };
  try {
    return confirmedPage(await context.transactions.tell<ConfirmedLink>(CONFIRM_PATH, attempt));
  } catch (error) {
    if (isRefusal(error, 'TRANSACTION_IS_VERIFIED')) return ALREADY_CONFIRMED_PAGE;
    // The code is wrong, expired or used up, or the order has ended, which the next request shows.
    if (isRefusal(error, 'VERIFICATION_NOT_VALID')) {
      return pageOfLink(context, transactionId, 'wrong-code');
    }
    if (isRefusal(error, 'TOO_MANY_ATTEMPTS')) {
      return pageOfLink(context, transactionId, 'too-many-codes');
    }
    throw error;
  }
}

async function pageOfLink(
  { transactions }: Context,
  transactionId: string,
  notice?: Notice,
): Promise<Page> {
  const question: OpenLinkQuestion = { transactionId, sendCode: 'never' };
  const link = await transactions.ask<LinkState>(OPEN_PATH, question);
  if (link.state === 'ended') return ENDED_PAGE;
  if (link.state === 'confirmed') return ALREADY_CONFIRMED_PAGE;
  const path = pathOf(transactionId);
  return link.codeSent
    ? waitingPage(path, link.phoneMasked, notice)
    : codeNotSentPage(path, link.phoneMasked);
}

/** @throws AppError TRANSACTION_NOT_FOUND for what is no id: the service would not understand it */
function transactionIdOf(req: Request): string {
  const transactionId = textParam(req, 'transactionId');
  if (!isUUID(transactionId)) throw new AppError('TRANSACTION_NOT_FOUND');
  return transactionId;
}

/** The six digits of the form, however they were grouped; undefined when they are not six. */
function codeIn(form: unknown): string | undefined {
  const { code } = Object(form) as { code?: unknown };
  const digits = typeof code === 'string' ? code.replace(/[\s-]/g, '') : '';
  return SIX_DIGITS.test(digits) ? digits : undefined;
}

function pathOf(transactionId: string): string {
  return `/pedido/${transactionId}`;
}

function isRefusal(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}
