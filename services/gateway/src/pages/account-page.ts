import type { Request, RequestHandler } from 'express';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { textParam } from '@fiado/chassis/http/request';
import {
  checkAccountCodeCall,
  debtsCall,
  openAccountLinkCall,
  type CheckAccountCodeQuestion,
  type CheckedAccountCode,
  type DebtsAnswer,
  type DebtsQuestion,
  type OpenAccountLinkQuestion,
} from '@fiado/contracts/account-link';
import type { SendCode } from '@fiado/contracts/links';
import type { PaymentAnswer } from '@fiado/contracts/debts';
import { shortName } from '@fiado/contracts/short-name';
import type { Context } from '../context';
import { isRefusal } from './answer-failure';
import {
  NOT_SIX_DIGITS,
  SENT_AGAIN,
  TOO_MANY_CODES,
  TOO_MANY_SENDS,
  waitingPage,
  WRONG_CODE,
} from './code-views';
import { day, grouped, money, qrCode } from './formats';
import { codeIn } from './forms';
import { howToPay } from './how-to-pay';
import type { Lender, Notice, Page } from './layout';
import { OVERDUE } from './order-views';
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
  { payments, lender }: Context,
  { userId, wholesalerId, wholesaler }: CheckedAccountCode,
): Promise<Page> {
  const question: DebtsQuestion = { userId, wholesalerId };
  const answer = await payments.ask(debtsCall, question);
  const reference = answer.debts[0]?.numeroReferencia;
  return accountPage(answer, {
    wholesaler: shortName(wholesaler),
    lender,
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

/**
 * What a store owes for orders of one wholesaler, how to pay it, and what it has paid.
 * @param qr of the reference that pays the oldest debt first; undefined where nothing was bought
 */
function accountPage(
  { debts }: DebtsAnswer,
  { wholesaler, lender, qr }: { wholesaler: string; lender: Lender; qr: Html | undefined },
): Page {
  const open = debts.filter(({ status }) => status !== 'paid');
  const paid = debts.filter(({ status }) => status === 'paid');
  return {
    status: 200,
    title: 'Mi cuenta',
    content: html`${open.length === 0 ? nothingOwed(wholesaler) : owed(open, wholesaler)}
    ${howToPayFirst(open, { lender, qr })} ${open.map((debt) => debtOf(debt))}
    ${paid.length === 0 ? NOTHING : historyOf(paid)}`,
  };
}

function nothingOwed(wholesaler: string): Html {
  return html`<p>No debes nada de tus pedidos con ${wholesaler}. Gracias.</p>`;
}

function owed(open: PaymentAnswer[], wholesaler: string): Html {
  const cents = open.reduce((sum, debt) => sum + Math.round(debt.amountDue * 100), 0);
  return html`${open.some(isOverdue) ? OVERDUE : NOTHING}
    <dl class="main">
      <dt>Debes de tus pedidos con ${wholesaler}</dt>
      <dd>${money(cents / 100)}</dd>
    </dl>`;
}

function isOverdue({ status }: PaymentAnswer): boolean {
  return status === 'overdue';
}

function howToPayFirst(
  [first]: PaymentAnswer[],
  { lender, qr }: { lender: Lender; qr: Html | undefined },
): Html {
  if (first === undefined) return NOTHING;
  const { numeroReferencia } = first;
  return html`${howToPay({ numeroReferencia, qr }, lender)}
    <h2>Lo que debes</h2>`;
}

function debtOf(debt: PaymentAnswer): Html {
  const overdue = isOverdue(debt);
  return html`<dl class="lines debt">
    <div class="total">
      <dt>${overdue ? 'Vencido' : 'Por pagar'}</dt>
      <dd>${money(debt.amountDue)}</dd>
    </div>
    <div>
      <dt>${overdue ? 'Se tenía que pagar el' : 'Paga a más tardar el'}</dt>
      <dd>${day(debt.paymentDate, debt.paymentTimeZone)}</dd>
    </div>
    ${
      debt.amountPaid > 0
        ? html`<div>
            <dt>Ya pagaste</dt>
            <dd>${money(debt.amountPaid)}</dd>
          </div>`
        : NOTHING
    }
    <div>
      <dt>Factura</dt>
      <dd>${grouped(debt.idFactura)}</dd>
    </div>
  </dl>`;
}

function historyOf(paid: PaymentAnswer[]): Html {
  return html`<h2>Ya pagado</h2>
    <dl class="lines">
      ${paid.map(
        (debt) =>
          html`<div>
            <dt>
              Factura ${grouped(debt.idFactura)}, vencía el
              ${day(debt.paymentDate, debt.paymentTimeZone)}
            </dt>
            <dd>${money(debt.amountPaid)}</dd>
          </div>`,
      )}
    </dl>`;
}

const UNKNOWN_ACCOUNT_PAGE: Page = {
  status: 404,
  title: 'Este enlace no sirve o ya caducó',
  content: html`<p>
    Los enlaces duran 24 horas. Revisa que esté completo, tal como te llegó, o pide uno nuevo a tu
    proveedor.
  </p>`,
};
