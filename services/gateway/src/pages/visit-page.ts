import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import { html, type Html } from '@fiado/chassis/html';
import { STRICT_TRANSPORT } from '@fiado/chassis/http/edge';
import { textParam } from '@fiado/chassis/http/request';
import {
  type AwaitedOrder,
  type CheckedAccount,
  awaitedOrdersCall,
  checkVisitCodeCall,
  openVisitCall,
  startVisitCall,
  type VisitState,
  whatsappConsentCall,
  type CheckVisitCodeQuestion,
  type OpenVisitQuestion,
  type StartVisitQuestion,
} from '@fiado/contracts/account-visit';
import { normalizePhone } from '@fiado/contracts/numbering-plan';
import { shortName } from '@fiado/contracts/short-name';
import type { Context } from '../context';
import { pageOfAccounts } from './account-page';
import { isRefusal } from './answer-failure';
import type { CodePage } from './code-flow';
import { waitingPage } from './code-views';
import { listOfRecent, recentDeliveries } from './deny-page';
import { money } from './formats';
import { textIn } from './forms';
import { noticeOf, problem, type Lender, type Notice, type Page } from './layout';
import { receiptPage } from './order-views';
import { sendPage } from './send-page';
import { BACK, COOKIE, ofEachAccount, PATH, tokenOf, visitedAccounts } from './visit';

type OpenVisit = Extract<VisitState, { state: 'open' }>;

const WORDS = { title: 'Mi cuenta', need: 'Para ver tu cuenta', button: 'Ver mi cuenta' };

/** Said of every number, so that nobody learns who is a customer. */
const SENT: Notice = {
  status: 200,
  text: 'Si este celular está registrado, te llega un SMS con tu clave.',
  problem: false,
};
const NO_PHONE = problem(422, 'Escribe los diez números de tu celular.');
const ENDED = problem(200, 'Pasó el tiempo. Pide otra clave para ver tu cuenta.');
const TOO_MANY = problem(
  429,
  'Por ahora no podemos enviarte otra clave. Usa la del último SMS, o inténtalo mañana.',
);

/** Codes of many visits are guessed. */
const GUESSED = problem(
  429,
  'Por ahora no podemos revisar tu clave. Inténtalo otra vez dentro de una hora.',
);

/** The page /mi: the form for the number, the one for the code, or the account. */
export function visitPage(context: Context): CodePage {
  return {
    pathOf: () => PATH,
    show: (req, res, notice) => {
      const sent = req.query.aviso === 'enviado' ? SENT : undefined;
      return pageOfVisit(context, req, res, notice ?? sent);
    },
    send: async (req) => {
      const token = tokenOf(req);
      if (token === undefined) return;
      const question: OpenVisitQuestion = { token, sendCode: 'again' };
      await context.accounts.tell(openVisitCall, question);
    },
    check: async (req, code) => {
      const token = tokenOf(req);
      if (token === undefined) return;
      const attempt: CheckVisitCodeQuestion = { token, code };
      await context.accounts.tell(checkVisitCodeCall, attempt);
    },
    tooManySends: TOO_MANY,
    tooManyCodes: GUESSED,
  };
}

/** POST /mi/empezar: the form with the number. */
export function handleStartVisit(context: Context): RequestHandler {
  return async (req, res) => {
    const phone = normalizePhone(textIn(req.body, 'phone'), context.phoneRegion);
    if (phone === undefined) return sendPage(res, phonePage(NO_PHONE));
    const question: StartVisitQuestion = { phone, address: context.addressOf(req) };
    try {
      const { token } = await context.accounts.tell(startVisitCall, question);
      res.cookie(COOKIE, token, cookieOptions(res)).redirect(303, `${PATH}?aviso=enviado`);
    } catch (error) {
      if (!isRefusal(error, 'TOO_MANY_ATTEMPTS')) throw error;
      sendPage(res, phonePage(TOO_MANY));
    }
  };
}

/** POST /mi/salir: forgets the visit on this phone. */
export function handleLeaveVisit(): RequestHandler {
  return (_req, res) => {
    res.clearCookie(COOKIE, cookieOptions(res)).redirect(303, PATH);
  };
}

async function pageOfVisit(
  context: Context,
  req: Request,
  res: Response,
  notice: Notice | undefined,
): Promise<Page> {
  const token = tokenOf(req);
  if (token === undefined) return phonePage();
  const question: OpenVisitQuestion = { token, sendCode: 'never' };
  const visit = await context.accounts.ask(openVisitCall, question);
  if (visit.state === 'ended') {
    res.clearCookie(COOKIE, cookieOptions(res));
    return phonePage(ENDED);
  }
  if (visit.state === 'open') return openPage(context, visit);
  const page = waitingPage({ ...visit, words: WORDS, path: PATH, notice });
  return { ...page, cards: [leaveForm('Usar otro celular')] };
}

async function openPage(context: Context, { accounts, whatsapp }: OpenVisit): Promise<Page> {
  if (accounts.length === 0) return unprovedPage(context.lender);
  const page = await pageOfAccounts(context, accounts);
  const [awaited, recent] = await Promise.all([
    awaitedOrders(context, accounts),
    recentDeliveries(context, accounts),
  ]);
  const orders = [
    ...(recent.length === 0 ? [] : [listOfRecent(recent)]),
    ...(awaited.length === 0 ? [] : [listOfAwaited(awaited)]),
  ];
  const consent = whatsapp === undefined ? [] : [whatsappPart(context.lender, whatsapp)];
  return {
    ...page,
    cards: [...(page.cards ?? []), ...orders, ...consent, INVOICE_CARD, leaveForm('Salir')],
  };
}

/** What the owner agrees to names the lender, as WhatsApp's policy asks. */
function whatsappPart({ name }: Lender, state: 'agreed' | 'offered'): Html {
  const agreed = state === 'agreed';
  return html`<h2>WhatsApp</h2>
    <p>
      ${agreed ? `${name} te avisa por WhatsApp` : `${name} puede avisarte por WhatsApp`} de tus
      entregas y tus pagos. Tus claves llegan siempre por SMS.
    </p>
    <form method="post" action="${PATH}/whatsapp">
      <input type="hidden" name="acepto" value="${agreed ? 'no' : 'si'}" />
      <button type="submit" class="second">
        ${agreed ? 'Ya no quiero WhatsApp' : 'Sí, quiero WhatsApp'}
      </button>
    </form>`;
}

/** POST /mi/whatsapp: the visitor agrees to messages by WhatsApp, or no longer. */
export function handleWhatsappConsent(context: Context): RequestHandler {
  return async (req, res) => {
    const token = tokenOf(req);
    const agrees = textIn(req.body, 'acepto') === 'si';
    try {
      if (token !== undefined) await context.accounts.tell(whatsappConsentCall, { token, agrees });
    } catch (error) {
      // The visit is over, which the page says.
      if (!isRefusal(error, 'VERIFICATION_NOT_VALID')) throw error;
    }
    res.redirect(303, PATH);
  };
}

const INVOICE_CARD = html`<p><a href="${PATH}/factura">Datos para facturar</a></p>`;

/** Confirmed orders that wait for their delivery. */
function awaitedOrders(context: Context, accounts: CheckedAccount[]): Promise<AwaitedOrder[]> {
  return ofEachAccount(context, accounts, async (account) => {
    const { orders } = await context.transactions.ask(awaitedOrdersCall, account);
    return orders;
  });
}

function listOfAwaited(awaited: AwaitedOrder[]): Html {
  return html`<h2>Por recibir</h2>
    <ul class="debts">
      ${awaited.map(
        ({ transactionId, order }) =>
          html`<li>
            <a href="${PATH}/pedido/${transactionId}">De ${shortName(order.wholesaler)}</a>
            <span class="sum">${money(order.totalAmountWithInterests)}</span>
          </li>`,
      )}
    </ul>`;
}

/** GET /mi/pedido/{transactionId}: an order of the visitor that waits for its delivery, also without a link. */
export function handleVisitOrder(context: Context): RequestHandler {
  return async (req, res) => {
    const accounts = await visitedAccounts(context, req);
    if (accounts === undefined) return res.redirect(303, PATH);
    const wanted = textParam(req, 'transactionId');
    const awaited = await awaitedOrders(context, accounts);
    const found = awaited.find(({ transactionId }) => transactionId === wanted);
    // Delivered or cancelled meanwhile: then the account shows what is owed.
    if (found === undefined) return res.redirect(303, PATH);
    const page = receiptPage(found.order, 'En Mi cuenta verás cómo pagar.');
    sendPage(res, { ...page, cards: [...(page.cards ?? []), BACK] });
  };
}

/** The wholesaler that changed the number could be the visitor. */
function unprovedPage({ phone, printedPhone }: Lender): Page {
  return {
    status: 200,
    title: 'Mi cuenta',
    heading: 'Falta confirmar tu celular',
    content: html`<p>
      Tu celular cambió hace poco, y todavía no podemos mostrarte tu cuenta. Llama al
      <a href="tel:${phone}">${printedPhone}</a> para confirmarlo.
    </p>`,
    cards: [leaveForm('Salir')],
  };
}

function phonePage(notice?: Notice): Page {
  return {
    status: notice?.status ?? 200,
    title: 'Mi cuenta',
    content: html`${noticeOf(notice)}
      <p>Para ver lo que debes y cómo pagarlo, escribe el celular de tu tienda.</p>
      <form method="post" action="${PATH}/empezar">
        <label for="phone">Tu celular</label>
        <input
          id="phone"
          name="phone"
          type="tel"
          inputmode="tel"
          autocomplete="tel-national"
          maxlength="20"
          required
        />
        <button type="submit">Enviar clave</button>
      </form>`,
  };
}

function leaveForm(button: string) {
  return html`<form method="post" action="${PATH}/salir">
    <button type="submit" class="second">${button}</button>
  </form>`;
}

/** Sent along a link from an SMS, and for TLS alone where the outermost proxy had TLS. */
function cookieOptions(res: Response): CookieOptions {
  const secure = res.hasHeader(STRICT_TRANSPORT[0]);
  return { secure, httpOnly: true, path: PATH, sameSite: 'lax' };
}
