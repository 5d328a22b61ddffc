import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { CheckedLinkCode, LinkedOrder } from '@fiado/contracts/links';
import type { PaymentAnswer } from '@fiado/contracts/debts';
import { shortName } from '@fiado/contracts/short-name';
import { day, mainAmount, money, quantity } from './formats';
import { howToPay } from './how-to-pay';
import { noticeOf, problem, type Lender, type Page } from './layout';

const DAY_MS = 24 * 60 * 60_000;

/** Progress on the page of an order before it is accepted: the code, and the order itself. */
export const FIRST_STEP = html`<p class="step">Paso 1 de 2</p>`;
const SECOND_STEP = html`<p class="step">Paso 2 de 2</p>`;

/**
 * The order behind a right code, before its owner accepts it.
 * @param path of the order's page
 */
export function summaryPage(path: string, { pass, order }: CheckedLinkCode): Page {
  const { maximumTotal, totalAmountWithInterests: total, paymentTermDays } = order;
  const more =
    maximumTotal > total
      ? html`Si te entregan más, nunca pagas más de <strong>${money(maximumTotal)}</strong>.`
      : html`No te pueden entregar ni cobrar más que esto.`;
  return {
    status: 200,
    title: 'Revisa tu pedido',
    progress: SECOND_STEP,
    content: html`${supplier(order)} ${mainAmount(total)}
      <p>Paga a más tardar el <strong>${lastDay(order)}</strong></p>
      ${figures(order)}`,
    cards: [
      goods(order),
      html`<p>
          <strong>Si te entregan menos, pagas menos.</strong> ${more} Tus ${String(paymentTermDays)}
          días para pagar cuentan desde la entrega.
        </p>
        <form method="post" action="${path}/aceptar">
          <input type="hidden" name="pass" value="${pass}" />
          <button type="submit">Acepto este pedido</button>
        </form>
        <p class="quiet">¿Algo no está bien? No aceptes y avisa a tu proveedor.</p>`,
    ],
  };
}

/**
 * The receipt of an accepted order that waits for its delivery.
 * @param later where it is paid once it is delivered
 */
export function receiptPage(
  order: LinkedOrder,
  later = 'Guarda este enlace: aquí verás cómo pagar.',
): Page {
  return {
    status: 200,
    title: 'Pedido confirmado',
    content: html`<p class="notice" role="status">
        No pagues todavía: espera tu entrega. Si te llegó una palabra de entrega por SMS, dila solo
        al recibir.
      </p>
      ${supplier(order)} ${mainAmount(order.totalAmountWithInterests)}
      <p>Vas a pagar a más tardar el <strong>${lastDay(order)}</strong></p>
      ${figures(order)}
      <p class="quiet">La fecha es aproximada: cuenta desde la entrega. ${later}</p>`,
    cards: [goods(order)],
  };
}

/** A delivered order: what is owed, and the references to pay it with. */
export function debtPage(
  order: LinkedOrder,
  { payment, qr }: { payment: PaymentAnswer; qr: Html },
  lender: Lender,
): Page {
  const { amountDue, amountPaid, paymentDate, paymentTimeZone } = payment;
  const isLate = payment.status === 'overdue';
  return {
    status: 200,
    title: 'Tu pedido',
    heading: `Debes a ${shortName(order.wholesaler)}`,
    content: html`${isLate ? late(amountDue, paymentDate) : NOTHING} ${mainAmount(amountDue)}
      <p>
        ${isLate ? 'Se tenía que pagar a más tardar el' : 'Paga a más tardar el'}
        <strong>${day(paymentDate, paymentTimeZone)}</strong>
      </p>`,
    cards: [
      howToPay({ ...payment, qr }, lender),
      html`<h2>Tu pedido</h2>
        ${figures(order, amountPaid > 0 ? line('Ya pagaste', money(amountPaid)) : NOTHING)}`,
      goods(order),
    ],
  };
}

/**
 * The consequence of a late payment, and how to end it.
 * @param dueAt last moment to pay; days are not counted where the sandbox’s clock is ahead of ours
 */
export function late(amount: number, dueAt: string): Html {
  const days = Math.ceil((Date.now() - Date.parse(dueAt)) / DAY_MS);
  const howLong =
    days < 1
      ? 'Tienes un pago con atraso'
      : `Tienes ${days} ${days === 1 ? 'día' : 'días'} de atraso`;
  return noticeOf(
    problem(200, `${howLong}. Paga ${money(amount)}: con atraso no puedes comprar a crédito.`),
  );
}

/** A delivered order whose debt cannot be looked up now. */
export function debtLaterPage(order: LinkedOrder): Page {
  return {
    status: 200,
    title: 'Pedido entregado',
    content: html`<p>
        En este momento no podemos mostrar cómo pagar. Vuelve a abrir este enlace en unos minutos.
      </p>
      ${supplier(order)}
      <p>Paga a más tardar el <strong>${lastDay(order)}</strong></p>
      ${figures(order)}`,
    cards: [goods(order)],
  };
}

function supplier({ wholesaler }: LinkedOrder): Html {
  return html`<p class="quiet">De <strong>${shortName(wholesaler)}</strong>, a crédito</p>`;
}

function goods({ products }: LinkedOrder): Html {
  return html`<h2>Productos</h2>
    <dl class="lines">
      ${products.map((product) => line(product.name, quantity(product.quantity)))}
    </dl>`;
}

/** @param more a line below the total */
function figures(order: LinkedOrder, more: Html = NOTHING): Html {
  return html`<dl class="lines">
    ${merchandise(order)} ${line('Interés', money(order.interests))}
    ${line('IVA del interés', money(order.IVAAmount))}
    <div class="total">
      <dt>Total a pagar</dt>
      <dd>${money(order.totalAmountWithInterests)}</dd>
    </div>
    ${more}
  </dl>`;
}

/** The goods. If the delivered amount differs from the ordered one, it shows both. */
function merchandise({ orderedAmount, totalAmount }: LinkedOrder): Html {
  return typeof orderedAmount !== 'number' || orderedAmount === totalAmount
    ? line('Mercancía', money(totalAmount))
    : html`${line('Pediste', money(orderedAmount))} ${line('Te entregaron', money(totalAmount))}`;
}

function lastDay({ paymentDate, timeZone }: LinkedOrder): string {
  return day(paymentDate, timeZone);
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
  content: html`<p>Pagado. Gracias, no debes nada de este pedido.</p>`,
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
