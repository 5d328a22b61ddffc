import type { Request, RequestHandler } from 'express';
import { textParam } from '@fiado/chassis/http/params';
import {
  checkAccountCodeCall,
  debtsCall,
  openAccountLinkCall,
  type CheckAccountCodeQuestion,
  type CheckedAccountCode,
  type DebtsQuestion,
  type OpenAccountLinkQuestion,
} from '@fiado/contracts/account-link';
import type { SendCode } from '@fiado/contracts/links';
import type { Context } from '../context';
import { accountPage, UNKNOWN_ACCOUNT_PAGE } from './account-views';
import {
  NOT_SIX_DIGITS,
  SENT_AGAIN,
  TOO_MANY_CODES,
  TOO_MANY_SENDS,
  waitingPage,
  WRONG_CODE,
} from './code-views';
import { codeIn } from './form-fields';
import { isRefusal } from './is-refusal';
import type { Page } from './layout';
import type { Notice } from './notice';
import { qrCode } from './qr-code';
import { sendPage } from './send-page';

/** Format of a token; any other text is not forwarded. */
const TOKEN = /^[\w-]{1,100}$/;

const WORDS = { title: 'Mi cuenta', need: 'Para ver tu cuenta', button: 'Ver mi cuenta' };

/** GET /cuenta/{token}. Sends no SMS, as the page of an order. */
export function handleOpenAccount(context: Context): RequestHandler {
  return async (req, res) => {
    const notice = req.query.aviso === 'enviado' ? SENT_AGAIN : undefined;
    sendPage(res, await pageOfLink(context, tokenOf(req), notice));
  };
}

/** POST /cuenta/{token}: the form with the code. The answer is the account, which no URL opens. */
export function handleTypeAccountCode(context: Context): RequestHandler {
  return async (req, res) => {
    sendPage(res, await pageAfterCode(context, tokenOf(req), codeIn(req.body)));
  };
}

/** POST /cuenta/{token}/enviar and /reenviar: then back, so that a reload sends nothing. */
export function handleSendAccountCode(context: Context, sendCode: SendCode): RequestHandler {
  return async (req, res) => {
    const token = tokenOf(req);
    const wish: OpenAccountLinkQuestion = { token, sendCode };
    try {
      if (TOKEN.test(token)) await context.accounts.tell(openAccountLinkCall, wish);
      res.redirect(303, `${pathOf(token)}${sendCode === 'again' ? '?aviso=enviado' : ''}`);
    } catch (error) {
      if (!isRefusal(error, 'TOO_MANY_ATTEMPTS')) throw error;
      sendPage(res, await pageOfLink(context, token, TOO_MANY_SENDS));
    }
  };
}

/** GET of the address that a button posts to. */
export function handleLeaveAccountButton(): RequestHandler {
  return (req, res) => {
    res.redirect(303, pathOf(tokenOf(req)));
  };
}

async function pageAfterCode(
  context: Context,
  token: string,
  code: string | undefined,
): Promise<Page> {
  if (code === undefined || !TOKEN.test(token)) return pageOfLink(context, token, NOT_SIX_DIGITS);
  const attempt: CheckAccountCodeQuestion = { token, code };
  try {
    const account = await context.accounts.tell(checkAccountCodeCall, attempt);
    return await pageOfAccount(context, account);
  } catch (error) {
    if (isRefusal(error, 'VERIFICATION_NOT_VALID')) return pageOfLink(context, token, WRONG_CODE);
    if (isRefusal(error, 'TOO_MANY_ATTEMPTS')) return pageOfLink(context, token, TOO_MANY_CODES);
    throw error;
  }
}

async function pageOfAccount(
  { payments }: Context,
  { userId, wholesalerId, wholesaler }: CheckedAccountCode,
): Promise<Page> {
  const question: DebtsQuestion = { userId, wholesalerId };
  const answer = await payments.ask(debtsCall, question);
  const reference = answer.debts[0]?.numeroReferencia;
  return accountPage(answer, {
    wholesaler,
    qr: reference === undefined ? undefined : await qrCode(reference),
  });
}

async function pageOfLink({ accounts }: Context, token: string, notice?: Notice): Promise<Page> {
  if (!TOKEN.test(token)) return UNKNOWN_ACCOUNT_PAGE;
  const question: OpenAccountLinkQuestion = { token, sendCode: 'never' };
  const link = await accounts.ask(openAccountLinkCall, question);
  if (!link.valid) return UNKNOWN_ACCOUNT_PAGE;
  return waitingPage({ ...link, words: WORDS, path: pathOf(token), notice });
}

function tokenOf(req: Request): string {
  return textParam(req, 'token');
}

function pathOf(token: string): string {
  return `/cuenta/${encodeURIComponent(token)}`;
}
