import type { Html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { changeLines } from '../approvals/change-words';
import { link } from '../frame/formats';
import { say, naming } from '../frame/words';
import { factLines } from './facts';

/** Something that happened to a store. */
export type TimelineEntry = ItemOf<'getTimeline', 'entries'>;

/** Whether somebody of the lender only looked. */
export function isLook(type: string): boolean {
  return /\.(viewed|listed|searched)$/.test(type);
}

/** Each look of a person is audited, so that looks would hide the rest: equal ones that follow each other are one row. */
export function folded<Entry>(
  entries: readonly Entry[],
  areEqual: (one: Entry, other: Entry) => boolean,
): Array<Entry & { times: number }> {
  const rows: Array<Entry & { times: number }> = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if (last !== undefined && areEqual(last, entry)) last.times += 1;
    else rows.push({ ...entry, times: 1 });
  }
  return rows;
}

const wordsOf = naming({
  'order.created': ['Pidió a crédito', 'Ordered on credit'],
  'order.confirmed': ['Confirmó el pedido', 'Confirmed the order'],
  'order.delivered': ['Recibió el pedido', 'Received the order'],
  'order.cancelled': ['Pedido cancelado', 'Order cancelled'],
  'order.expired': ['Pedido caducado', 'Order expired'],
  'order.credited': ['Nota de crédito', 'Credit note'],
  'credit.adjusted': ['Línea ajustada', 'Credit adjusted'],
  'credit.repaid': ['Línea liberada', 'Credit repaid'],
  'credit.reversed': ['Línea ocupada otra vez', 'Credit used again'],
  'credit.credited': ['Línea liberada por una nota de crédito', 'Credit freed by a credit note'],
  'debt.opened': ['Nuevo adeudo', 'New debt'],
  'debt.credited': ['Adeudo bajado por una nota de crédito', 'Debt lowered by a credit note'],
  'payment.applied': ['Pago aplicado', 'Payment applied'],
  'payment.reversed': ['Pago revertido', 'Payment reversed'],
  'balance.surplus': ['Saldo a favor', 'Credit balance'],
  'balance.spent': ['Usó su saldo a favor', 'Credit balance used'],
  'balance.returned': ['Saldo usado, regresado', 'Used balance returned'],
  'balance.reversal': ['Saldo revertido', 'Balance reversed'],
  'balance.unassigned': ['Saldo de otra tienda, quitado', 'Balance of another store taken away'],
  'balance.payout': ['Pago de su saldo', 'Payout'],
  'balance.payout-cancelled': ['Pago cancelado', 'Payout cancelled'],
  'balance.payout-returned': ['Pago devuelto por el banco', 'Payout returned by the bank'],
  'balance.recovery': ['Debe un pago de saldo', 'Owes a payout'],
  'default.opened': ['Se atrasó', 'Fell into default'],
  'default.paid': ['Pagó su atraso', 'Left the default'],
  'default.withdrawn': ['Atraso retirado: pagó a tiempo', 'Default withdrawn: paid in time'],
  'request.refused': ['Solicitud rechazada', 'Request refused'],
  'message.requested': ['SMS', 'SMS'],
  'customer.imported': ['Alta con un mayorista', 'Became a customer'],
  'verification.started': ['Verificación iniciada', 'Verification started'],
  'verification.approved': ['Verificación aprobada', 'Verification approved'],
  'document.received': ['Documento recibido', 'Document received'],
  'phone.changed': ['Cambió de teléfono', 'Changed its phone'],
  'corner-store.approved': ['Tienda aprobada', 'Store approved'],
  'corner-store.rejected': ['Tienda rechazada', 'Store rejected'],
  'corner-store.changed': ['Condiciones cambiadas', 'Terms changed'],
  'corner-store.phone-hold-cleared': ['Teléfono liberado', 'Phone hold cleared'],
  'corner-store.paused': ['Tienda pausada', 'Store paused'],
  'corner-store.resumed': ['Pausa levantada', 'Pause lifted'],
  // The data of the owner.
  'corner-store.blocked': ['Tienda bloqueada', 'Store blocked'],
  'person.blocked': ['Datos bloqueados', 'Data blocked'],
  'person.erased': ['Datos suprimidos', 'Data erased'],
  'privacy-request.opened': ['Solicitud sobre sus datos', 'Request about its data'],
  'privacy-request.answered': ['Solicitud respondida', 'Request answered'],
  'privacy-request.done': ['Solicitud terminada', 'Request done'],
  'privacy-package.fetched': ['Copia de sus datos descargada', 'Copy of its data downloaded'],
  'opposition.ended': ['Quiere recordatorios otra vez', 'Wants reminders again'],
  'whatsapp.agreed': ['Aceptó WhatsApp', 'Agreed to WhatsApp'],
  'whatsapp.ended': ['Ya no quiere WhatsApp', 'No more WhatsApp'],
  'phone.revealed': ['Teléfono visto', 'Phone seen'],
  'tax-profile.set': ['Datos para facturar registrados', 'Tax profile set'],
  'tax-profile.removed': ['Datos para facturar borrados', 'Tax profile removed'],
  'user.phone-changed': ['Teléfono cambiado', 'Phone changed'],
  'user.phone-confirmed': ['Teléfono confirmado', 'Phone confirmed'],
  'user.names-changed': ['Nombre cambiado', 'Name changed'],
  'onboarding.consented': ['Aceptó el aviso de privacidad', 'Consented to the privacy notice'],
  'onboarding.step-taken': ['Paso del registro', 'Step of the onboarding'],
});

/** An event in words. Of one of a later release its details have the name. */
export function eventName(type: string): string {
  if (isLook(type)) return say('Consulta del personal', 'Looked at by staff');
  const name = wordsOf(type);
  return name === type ? say('Otro evento', 'Another event') : name;
}

/**
 * The facts of an event, with a link to its order where it has one.
 * @param isKnown whether the type has words, so that the facts need not name it
 */
export function eventLines(
  { type, subjectId, details }: Pick<TimelineEntry, 'type' | 'subjectId' | 'details'>,
  isKnown = eventName(type) !== say('Otro evento', 'Another event'),
): Array<string | Html> {
  if (isLook(type)) return [];
  const { before, after, actorKind: _kind, actorId: _actor, ...facts } = details;
  const isOrder = subjectId !== null && /^(order|credit|debt|payment|default)\./.test(type);
  return [
    ...(isKnown ? [] : [type]),
    ...(isOrder ? [link(`/pedidos/${subjectId}`, say('Ver el pedido', 'See the order'))] : []),
    ...changeLines(before, after, type),
    ...factLines(type, facts),
  ];
}
