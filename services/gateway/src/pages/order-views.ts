import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { CheckedLinkCode, LinkedOrder } from '@fiado/contracts/links';
import type { PaymentAnswer } from '@fiado/contracts/debts';
import { shortName } from '@fiado/contracts/short-name';
import { day, money, quantity } from './formats';
import { howToPay } from './how-to-pay';
import { noticeOf, problem, type Lender, type Page } from './layout';

/** Above a debt that is overdue: what follows from it, and what ends it. */
export const OVERDUE = noticeOf(
  problem(200, 'Págalo cuanto antes: mientras esté vencido no puedes comprar a crédito.'),
);

/**
 * The order behind a right code, before its owner accepts it.
 * @param path of the order's page
 * @param lender who gives the credit
 */
export function summaryPage(path: string, { pass, order }: CheckedLinkCode, lender: string): Page {
  const { maximumTotal, totalAmountWithInterests: total, paymentTermDays } = order;
  const more =
    maximumTotal > total
      ? html`Si te entregan más, tu total puede subir, pero nunca a más de
          <strong>${money(maximumTotal)}</strong>.`
      : html`No te pueden entregar ni cobrar más que esto.`;
  return {
    status: 200,
    title: 'Revisa tu pedido',
    content: html`${parties(order, lender)} ${goods(order)} ${figures(order, lastDay(order))}
      <h2>Si la entrega cambia</h2>
      <p>
        Si te entregan menos, pagas menos. ${more} Tienes ${String(paymentTermDays)} días para
        pagar, contados desde la entrega.
      </p>
      <form method="post" action="${path}/aceptar">
        <input type="hidden" name="pass" value="${pass}" />
        <button type="submit">Acepto</button>
      </form>
      <p class="quiet">
        Al aceptar confirmas este pedido a crédito. Si algo no es correcto, no aceptes y avisa a tu
        proveedor.
      </p>`,
  };
}

/** The receipt of an accepted order that waits for its delivery. */
export function receiptPage(order: LinkedOrder, lender: string): Page {
  return {
    status: 200,
    title: 'Pedido confirmado',
    content: html`<p>Gracias. Tu pedido a crédito quedó confirmado.</p>
      ${parties(order, lender)} ${goods(order)} ${figures(order, lastDay(order))}
      <p class="quiet">
        La fecha es aproximada: cuenta desde la entrega. Si te enviamos una palabra de entrega por
        SMS, dila al repartidor solo cuando recibas tu pedido. Guarda este enlace: aquí verás cómo
        pagar.
      </p>`,
  };
}

/** A delivered order: what is owed, and the references to pay it with. */
export function debtPage(
  order: LinkedOrder,
  { payment, qr }: { payment: PaymentAnswer; qr: Html },
  lender: Lender,
): Page {
  const { amountDue, amountPaid, paymentDate, paymentTimeZone } = payment;
  const isOverdue = payment.status === 'overdue';
  return {
    status: 200,
    title: isOverdue ? 'Tu pago está vencido' : 'Esto debes de tu pedido',
    content: html`${isOverdue ? OVERDUE : NOTHING}
      <dl class="main">
        <dt>Falta por pagar</dt>
        <dd>${money(amountDue)}</dd>
        <dt>${isOverdue ? 'Se tenía que pagar a más tardar el' : 'Paga a más tardar el'}</dt>
        <dd class="day">${day(paymentDate, paymentTimeZone)}</dd>
      </dl>
      ${howToPay({ ...payment, qr }, lender)}
      <h2>Tu pedido</h2>
      ${parties(order, lender.name)} ${goods(order)}
      ${figures(order, amountPaid > 0 ? line('Ya pagaste', money(amountPaid)) : NOTHING)}`,
  };
}

/** A delivered order whose debt cannot be looked up now. */
export function debtLaterPage(order: LinkedOrder, lender: string): Page {
  return {
    status: 200,
    title: 'Pedido entregado',
    content: html`<p>
        En este momento no podemos mostrar cómo pagar. Vuelve a abrir este enlace en unos minutos.
      </p>
      ${parties(order, lender)} ${goods(order)} ${figures(order, lastDay(order))}`,
  };
}

function parties({ wholesaler }: LinkedOrder, lender: string): Html {
  return html`<dl class="lines">
    <div>
      <dt>Proveedor</dt>
      <dd class="name">${shortName(wholesaler)}</dd>
    </div>
    <div>
      <dt>Te da el crédito</dt>
      <dd class="name">${lender}</dd>
    </div>
  </dl>`;
}

function goods({ products }: LinkedOrder): Html {
  return html`<h2>Productos</h2>
    <ul class="goods">
      ${products.map((line) => html`<li>${quantity(line.quantity)} × ${line.name}</li>`)}
    </ul>`;
}

/** @param more a line below the total */
function figures(order: LinkedOrder, more: Html): Html {
  return html`<dl class="lines">
    ${line('Monto', money(order.totalAmount))} ${line('Intereses', money(order.interests))}
    ${line('IVA de los intereses', money(order.IVAAmount))}
    <div class="total">
      <dt>Total a pagar</dt>
      <dd>${money(order.totalAmountWithInterests)}</dd>
    </div>
    ${more}
  </dl>`;
}

function lastDay({ paymentDate, timeZone }: LinkedOrder): Html {
  return line('Paga a más tardar el', day(paymentDate, timeZone));
}

function line(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

export const PAID_PAGE: Page = {
  status: 200,
  title: 'Este pedido ya está pagado',
  content: html`<p>Gracias. No tienes que hacer nada más.</p>`,
};

export const ENDED_PAGE: Page = {
  status: 410,
  title: 'Este enlace ya no sirve',
  content: html`<p>
    El pedido se canceló o pasó el tiempo para confirmarlo. Si todavía lo quieres, pide un enlace
    nuevo a tu proveedor.
  </p>`,
};

export const UNKNOWN_ORDER_PAGE: Page = {
  status: 404,
  title: 'No encontramos este pedido',
  content: html`<p>
    Revisa que el enlace esté completo, tal como te llegó. Si no abre, pide uno nuevo a tu
    proveedor.
  </p>`,
};
