import type { DebtsAnswer } from '@fiado/contracts/account-link';
import type { PaymentAnswer } from '@fiado/contracts/payment';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { day, grouped, money } from './formats';
import type { Page } from './layout';
import { OVERDUE } from './overdue';

/**
 * What a store owes for orders of one wholesaler, how to pay it, and what it has paid.
 * @param qr of the reference that pays the oldest debt first; undefined where nothing was bought
 */
export function accountPage(
  { debts }: DebtsAnswer,
  { wholesaler, qr }: { wholesaler: string; qr: Html | undefined },
): Page {
  const open = debts.filter(({ status }) => status !== 'paid');
  const paid = debts.filter(({ status }) => status === 'paid');
  return {
    status: 200,
    title: 'Mi cuenta',
    content: html`${open.length === 0 ? nothingOwed(wholesaler) : owed(open, wholesaler)}
    ${open.length === 0 ? NOTHING : howToPay(open, qr)} ${open.map((debt) => debtOf(debt))}
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

function howToPay([first]: PaymentAnswer[], qr: Html | undefined): Html {
  return html`<h2>Cómo pagar</h2>
    <p>
      Da tu referencia donde pagas, o muestra el código. Tu pago cubre primero lo que vence antes.
    </p>
    <dl class="lines">
      <div>
        <dt>Referencia</dt>
        <dd>${grouped(first?.numeroReferencia ?? '')}</dd>
      </div>
    </dl>
    ${qr ?? NOTHING}
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

export const UNKNOWN_ACCOUNT_PAGE: Page = {
  status: 404,
  title: 'Este enlace no sirve o ya venció',
  content: html`<p>
    Los enlaces duran 24 horas. Revisa que esté completo, tal como te llegó, o pide uno nuevo a tu
    proveedor.
  </p>`,
};
