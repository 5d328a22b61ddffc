import type { Request, RequestHandler, Response } from 'express';
import type { SendCode } from '@fiado/contracts/links';
import { isRefusal } from './answer-failure';
import { NOT_SIX_DIGITS, SENT_AGAIN, WRONG_CODE } from './code-views';
import { codeIn } from './forms';
import type { Notice, Page } from './layout';
import { sendPage } from './send-page';

/** A page that opens with a code by SMS: that of an order, and "Mi cuenta". */
export interface CodePage {
  /** Where it is. Its buttons post to paths below. */
  pathOf: (req: Request) => string;
  /** The page as it is now. Sends no code: chats open links to show a preview of them. */
  show: (req: Request, res: Response, notice?: Notice) => Promise<Page>;
  send: (req: Request, sendCode: SendCode) => Promise<unknown>;
  /**
   * @returns the page that the code opens; undefined when `show` shows it from now on
   * @throws AppError VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS
   */
  check: (req: Request, code: string) => Promise<Page | undefined>;
  tooManySends: Notice;
  tooManyCodes: Notice;
}

/** GET of the page. */
export function handleOpenPage(page: CodePage): RequestHandler {
  return async (req, res) => {
    const notice = req.query.aviso === 'otra' ? SENT_AGAIN : undefined;
    sendPage(res, await page.show(req, res, notice));
  };
}

/** POST: the form with the code. */
export function handleTypeCode(page: CodePage): RequestHandler {
  return async (req, res) => {
    // A malformed code does not use up one of its five checks.
    const code = codeIn(req.body);
    if (code === undefined) return sendPage(res, await page.show(req, res, NOT_SIX_DIGITS));
    try {
      const opened = await page.check(req, code);
      if (opened === undefined) res.redirect(303, page.pathOf(req));
      else sendPage(res, opened);
    } catch (error) {
      const isOverLimit = isRefusal(error, 'TOO_MANY_ATTEMPTS');
      // The code is wrong, expired or used up, or what it opens has ended: the page tells which.
      if (!isOverLimit && !isRefusal(error, 'VERIFICATION_NOT_VALID')) throw error;
      sendPage(res, await page.show(req, res, isOverLimit ? page.tooManyCodes : WRONG_CODE));
    }
  };
}

/** POST of a button that sends a code; then back, so that a reload sends nothing. */
export function handleSendCode(page: CodePage, sendCode: SendCode): RequestHandler {
  return async (req, res) => {
    try {
      await page.send(req, sendCode);
      res.redirect(303, `${page.pathOf(req)}${sendCode === 'again' ? '?aviso=otra' : ''}`);
    } catch (error) {
      if (!isRefusal(error, 'TOO_MANY_ATTEMPTS')) throw error;
      sendPage(res, await page.show(req, res, page.tooManySends));
    }
  };
}

/** GET of the address that a button posts to, which stays in the browser after a refusal. */
export function handleLeaveButton({ pathOf }: Pick<CodePage, 'pathOf'>): RequestHandler {
  return (req, res) => {
    res.redirect(303, pathOf(req));
  };
}
