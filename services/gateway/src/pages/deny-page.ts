import type { RequestHandler } from 'express';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { textParam } from '@fiado/chassis/http/request';
import {
  type CheckedAccount,
  denyDeliveryCall,
  recentDeliveriesCall,
  type RecentDelivery,
} from '@fiado/contracts/account-visit';
import { shortName } from '@fiado/contracts/short-name';
import type { Context } from '../context';
import { isRefusal } from './answer-failure';
import { day, mainAmount, money } from './formats';
import type { Lender, Page } from './layout';
import { sendPage } from './send-page';
import { type AccountOfStore, BACK, ofEachAccount, PATH, visitedAccounts } from './visit';

/** A delivery, and the account that it is of. */
interface Delivered extends RecentDelivery {
  account: AccountOfStore;
}

/** The deliveries of the last two days that the visitor may deny; none while transactions does not answer. */
export function recentDeliveries(
  context: Context,
  accounts: CheckedAccount[],
): Promise<Delivered[]> {
  return ofEachAccount(context, accounts, async (account) => {
    const { deliveries } = await context.transactions.ask(recentDeliveriesCall, account);
    return deliveries.map((one) => ({ ...one, account }));
  });
}

/** What was delivered lately, each with how to say that it is not the store's. */
export function listOfRecent(deliveries: Delivered[]): Html {
  return html`<h2>Entregado hace poco</h2>
    <ul class="debts">
      ${deliveries.map(
        ({ transactionId, wholesaler, amount, isDisputed, ...rest }) =>
          html`<li>
            De ${shortName(wholesaler)} <span class="sum">${money(amount)}</span>
            ${deliveryDay(rest)}
            ${
              isDisputed
                ? html`<span class="badge">● En revisión</span>`
                : html`<a href="${pathOf(transactionId)}">No reconozco este pedido</a>`
            }
          </li>`,
      )}
    </ul>`;
}

/** The day on which it came, by which the store knows it. */
function deliveryDay({ deliveredAt, timeZone }: Pick<Delivered, 'deliveredAt' | 'timeZone'>): Html {
  if (timeZone === undefined) return NOTHING;
  return html`<span class="quiet">
    Entregado el ${day(deliveredAt, timeZone)}. El monto lleva interés e IVA.
  </span>`;
}

function pathOf(transactionId: string): string {
  return `${PATH}/pedido/${transactionId}/no`;
}

/** GET /mi/pedido/{transactionId}/no: asks once more, so that one wrong touch does nothing. */
export function handleAskDenial(context: Context): RequestHandler {
  return async (req, res) => {
    const delivery = await findDelivery(context, req);
    if (delivery === undefined || delivery.isDisputed) return res.redirect(303, PATH);
    sendPage(res, questionPage(delivery));
  };
}

/** POST of the same: opens the dispute. Once more changes nothing. */
export function handleDenial(context: Context): RequestHandler {
  return async (req, res) => {
    const delivery = await findDelivery(context, req);
    if (delivery === undefined) return res.redirect(303, PATH);
    const { transactionId, account } = delivery;
    try {
      const denial = { transactionId, ...account };
      const { isNoted } = await context.transactions.tell(denyDeliveryCall, denial);
      sendPage(res, isNoted ? notedPage(delivery, context.lender) : callPage(context.lender));
    } catch (error) {
      // Its two days ended meanwhile, or all of it was credited.
      const isOver =
        isRefusal(error, 'TRANSACTION_NOT_FOUND') || isRefusal(error, 'TRANSACTION_NOT_DISPUTABLE');
      if (!isOver) throw error;
      sendPage(res, callPage(context.lender));
    }
  };
}

/** The delivery in the path, where the visitor may see it; undefined also once its two days are over. */
async function findDelivery(
  context: Context,
  req: Parameters<RequestHandler>[0],
): Promise<Delivered | undefined> {
  const accounts = await visitedAccounts(context, req);
  if (accounts === undefined) return undefined;
  const wanted = textParam(req, 'transactionId');
  const deliveries = await recentDeliveries(context, accounts);
  return deliveries.find(({ transactionId }) => transactionId === wanted);
}

function questionPage({ transactionId, wholesaler, amount, ...rest }: Delivered): Page {
  return {
    status: 200,
    title: '¿No es tuyo?',
    content: html`<p>Pedido de ${shortName(wholesaler)}</p>
      ${mainAmount(amount)}
      <p>${deliveryDay(rest)}</p>
      <p>
        Si no lo pediste o no lo recibiste, dinos. Lo revisamos y te avisamos por SMS. Mientras, no
        te recordamos este pago.
      </p>
      <form method="post" action="${pathOf(transactionId)}">
        <button type="submit">No reconozco este pedido</button>
      </form>`,
    cards: [BACK],
  };
}

function notedPage({ wholesaler, amount }: Delivered, { phone, printedPhone }: Lender): Page {
  return {
    status: 200,
    title: 'Lo anotamos',
    content: html`<p class="notice" role="status">
        Anotamos que no es tuyo el pedido de ${money(amount)} de ${shortName(wholesaler)}. Lo
        revisamos y te avisamos por SMS.
      </p>
      <p>Dudas: <a href="tel:${phone}">${printedPhone}</a></p>`,
    cards: [BACK],
  };
}

function callPage({ phone, printedPhone }: Lender): Page {
  return {
    status: 200,
    title: 'Llámanos',
    content: html`<p>
      Este pedido no se puede rechazar por aquí. Si no es tuyo, llama al
      <a href="tel:${phone}">${printedPhone}</a>.
    </p>`,
    cards: [BACK],
  };
}
