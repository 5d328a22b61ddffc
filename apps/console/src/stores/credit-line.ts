import { html, type Html } from '@fiado/chassis/html';
import { pesosOf } from '../frame/formats';
import { card } from '../frame/parts';
import { say } from '../frame/words';
import type { Store, StoreOverview } from './stores';

/** What is free of the line, and what an order may be. */
export function creditLine(store: StoreOverview): Html {
  const { credit, debts } = store;
  const isLate = store.status === 'in-payment-default' || (debts?.overdueAmount ?? 0) > 0;
  const title = say('Línea de crédito', 'Credit line');
  if (credit === null) {
    return card(
      title,
      html`<p>
        ${say(`Línea de ${pesosOf(store.creditLimit)}. Los pedidos no responden: lo disponible no se sabe ahora.`, `A line of ${pesosOf(store.creditLimit)}. Orders do not answer: what is available is not known now.`)}
      </p>`,
    );
  }
  const { creditLimit, used, available } = credit;
  return card(
    title,
    html`<div class="line">
        <p>${say('Disponible', 'Available')}<strong>${pesosOf(available)}</strong></p>
        <p>${say('de una línea de', 'of a line of')}<strong>${pesosOf(creditLimit)}</strong></p>
      </div>
      <progress
        ${isLate && html`class="late"`}
        max="${String(Math.max(creditLimit, used, 1))}"
        value="${String(used)}"
        aria-label="${say('Parte usada de la línea', 'Used part of the line')}"
      ></progress>
      <p class="after ${isLate ? 'late' : 'quiet'}">
        ${say(`Usado ${pesosOf(used)}.`, `Used ${pesosOf(used)}.`)} ${orderLimit(store, available)}
      </p>`,
  );
}

/** Which orders would be refused now, and why. */
function orderLimit(store: Store, available: number): string {
  // An erased store is blocked, too.
  if (store.blockedAt !== null) {
    return say(
      'Está bloqueada a petición de su dueño: todo pedido se rechaza.',
      'It is blocked at its owner’s request: every order is refused.',
    );
  }
  if (store.paused != null) {
    return say('Está en pausa: todo pedido se rechaza.', 'It is paused: every order is refused.');
  }
  if (store.status === 'in-payment-default') {
    return say(
      'Tiene un pago con atraso: todo pedido se rechaza hasta que pague.',
      'It has an overdue payment: every order is refused until it pays.',
    );
  }
  if (store.status === 'in-manual-validation') {
    return say(
      'Espera validación: todo pedido se rechaza hasta que la apruebes.',
      'It waits for validation: every order is refused until you approve it.',
    );
  }
  if (store.status === 'pre-approved') {
    return say(
      'No ha terminado su registro: todo pedido se rechaza hasta que esté aprobada.',
      'Its onboarding is not finished: every order is refused until it is approved.',
    );
  }
  return say(
    `Un pedido de más de ${pesosOf(available)} se rechaza.`,
    `An order above ${pesosOf(available)} is refused.`,
  );
}
