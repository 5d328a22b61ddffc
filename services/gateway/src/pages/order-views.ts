import { amountOf } from '@fiado/shared/money';
import type { ConfirmedLink } from '@fiado/shared/contracts/links';
import { Html, html, NOTHING } from './html';
import type { Page } from './layout';

/** What is said above the field of the code. */
export type Notice =
  | 'sent-again'
  | 'not-six-digits'
  | 'wrong-code'
  | 'too-many-codes'
  | 'too-many-sends';

const NOTICES: Record<Notice, { status: number; text: string; problem: boolean }> = {
  'sent-again': { status: 200, text: 'Listo, te enviamos el SMS otra vez.', problem: false },
  'not-six-digits': { status: 422, text: 'Escribe los seis números de la clave.', problem: true },
  'wrong-code': {
    status: 422,
    text: 'Esa clave no es válida. Revisa el último SMS que recibiste o pide que te la enviemos otra vez.',
    problem: true,
  },
  'too-many-codes': {
    status: 429,
    text: 'Se escribieron demasiadas claves equivocadas. Pide otro enlace a tu proveedor.',
    problem: true,
  },
  'too-many-sends': {
    status: 429,
    text: 'Ya te enviamos la clave demasiadas veces. Usa la del último SMS o pide otro enlace a tu proveedor.',
    problem: true,
  },
};

const amountFormat = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' });

/**
 * The order waits, and its code was not sent yet: a button sends it.
 * @param path of the order's page
 */
export function codeNotSentPage(path: string, phoneMasked: string): Page {
  return {
    status: 200,
    title: 'Confirma tu pedido',
    content: html`<p>
        Para confirmarlo necesitas una clave de seis números. Te la enviamos por SMS al celular que
        termina en <strong>${phoneMasked.slice(-4)}</strong>.
      </p>
      <form method="post" action="${path}/enviar">
        <button type="submit">Enviar clave</button>
      </form>`,
  };
}

/**
 * The order waits for its code. The page shows only the last digits of the phone.
 * @param path of the order's page, to which its forms are sent
 */
export function waitingPage(path: string, phoneMasked: string, notice?: Notice): Page {
  const said = notice === undefined ? undefined : NOTICES[notice];
  return {
    status: said?.status ?? 200,
    title: 'Confirma tu pedido',
    content: html`${noticeOf(said)}
      <p>
        Enviamos un SMS con una clave de seis números al celular que termina en
        <strong>${phoneMasked.slice(-4)}</strong>.
      </p>
      <form method="post" action="${path}">
        <label for="code">Clave de seis números</label>
        <input
          id="code"
          name="code"
          type="text"
          inputmode="numeric"
          autocomplete="one-time-code"
          pattern="\\s*(?:[0-9]\\s*){6}"
          maxlength="13"
          required
          title="Seis números"
        />
        <button type="submit">Confirmar pedido</button>
      </form>
      <form method="post" action="${path}/reenviar" class="resend">
        <p class="quiet">¿No te llegó o ya venció?</p>
        <button type="submit" class="second">Enviar otra vez</button>
      </form>`,
  };
}

function noticeOf(said: { text: string; problem: boolean } | undefined): Html {
  if (said === undefined) return NOTHING;
  return html`<p
    class="notice${said.problem ? ' problem' : ''}"
    role="${said.problem ? 'alert' : 'status'}"
  >
    ${said.text}
  </p>`;
}

/** The code was right. Only now the page shows the wholesaler and the amount. */
export function confirmedPage({ wholesaler, amountCents }: ConfirmedLink): Page {
  return {
    status: 200,
    title: 'Pedido confirmado',
    content: html`<p>Gracias. Tu pedido a crédito quedó confirmado.</p>
      <dl>
        <dt>Proveedor</dt>
        <dd>${wholesaler}</dd>
        <dt>Monto del pedido</dt>
        <dd>${amountFormat.format(amountOf(amountCents))}</dd>
      </dl>
      <p class="quiet">
        Si te enviamos una palabra de entrega por SMS, dila al repartidor solo cuando recibas tu
        pedido.
      </p>`,
  };
}

export const ALREADY_CONFIRMED_PAGE: Page = {
  status: 200,
  title: 'Este pedido ya está confirmado',
  content: html`<p>No tienes que hacer nada más. Si tienes dudas, pregunta a tu proveedor.</p>`,
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
