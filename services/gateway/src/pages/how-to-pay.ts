import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { PaymentPlace } from '@fiado/contracts/payment-places';
import { grouped } from './formats';
import type { Lender } from './layout';

/** The data that a store needs to pay. */
interface Payment {
  numeroReferencia: string;
  /** Reference of the order that is paid; absent where the payment is for all orders. */
  idFactura?: string;
  /** QR code of the number that the store gives. */
  qr: Html | undefined;
}

/** The card that says where to go, what to say there, and which number to give. */
export function howToPay(
  { numeroReferencia, idFactura, qr }: Payment,
  { name, places }: Lender,
): Html {
  const isOfOrder = idFactura !== undefined;
  return html`<h2>Cómo pagar</h2>
    <dl class="reference">
      ${isOfOrder ? number('Factura', idFactura) : NOTHING}
      ${number(isOfOrder ? 'Referencia' : 'Tu referencia', numeroReferencia)}
    </dl>
    <ol class="steps">
      ${places.length === 0 ? NOTHING : html`<li>${placesToGo(places)}</li>`}
      <li>Di que vas a pagar a <strong>${name}</strong>.</li>
      <li>
        Da ${isOfOrder ? 'estos números' : 'tu referencia'} o muestra el código, y di cuánto pagas.
      </li>
      <li>Guarda tu comprobante. Te avisamos por SMS.</li>
    </ol>
    ${qr ?? NOTHING}
    <p class="quiet">
      ${isOfOrder ? 'Paga solo con estos números.' : 'Tu pago cubre primero lo que vence antes.'}
    </p>`;
}

function number(name: string, digits: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${grouped(digits)}</dd>
  </div>`;
}

function placesToGo(places: PaymentPlace[]): Html {
  const [only] = places;
  if (only !== undefined && places.length === 1) {
    return html`Ve a <strong>${only.name}</strong>.${detailsOf(only)}`;
  }
  return html`Ve a uno de estos lugares:
    <ul>
      ${places.map((place) => html`<li><strong>${place.name}</strong>.${detailsOf(place)}</li>`)}
    </ul>`;
}

function detailsOf({ how, account }: PaymentPlace): Html {
  return html`${how === '' ? '' : ` ${how}.`}${account === '' ? NOTHING : html` <strong>${account}</strong>.`}`;
}
