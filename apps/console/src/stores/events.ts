import type { Html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { changeLines } from '../approvals/change-words';
import { link } from '../frame/formats';
import { say, wordFor } from '../frame/words';
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

/** An event in words. Of one of a later release its details have the name. */
export function eventName(type: string): string {
  if (isLook(type)) return say('Consulta del personal', 'Looked at by staff');
  const name = wordFor(type, {
    'order.created': say('Pidió a crédito', 'Ordered on credit'),
    'order.confirmed': say('Confirmó el pedido', 'Confirmed the order'),
    'order.delivered': say('Recibió el pedido', 'Received the order'),
    'order.cancelled': say('Pedido cancelado', 'Order cancelled'),
    'order.expired': say('Pedido caducado', 'Order expired'),
    'order.credited': say('Nota de crédito', 'Credit note'),
    'credit.adjusted': say('Línea ajustada', 'Credit adjusted'),
    'credit.repaid': say('Línea liberada', 'Credit repaid'),
    'credit.reversed': say('Línea ocupada otra vez', 'Credit used again'),
    'credit.credited': say(
      'Línea liberada por una nota de crédito',
      'Credit freed by a credit note',
    ),
    'debt.opened': say('Nuevo adeudo', 'New debt'),
    'debt.credited': say('Adeudo bajado por una nota de crédito', 'Debt lowered by a credit note'),
    'payment.applied': say('Pago aplicado', 'Payment applied'),
    'payment.reversed': say('Pago revertido', 'Payment reversed'),
    'balance.surplus': say('Saldo a favor', 'Credit balance'),
    'balance.spent': say('Usó su saldo a favor', 'Credit balance used'),
    'balance.returned': say('Saldo usado, regresado', 'Used balance returned'),
    'balance.reversal': say('Saldo revertido', 'Balance reversed'),
    'balance.unassigned': say(
      'Saldo de otra tienda, quitado',
      'Balance of another store taken away',
    ),
    'balance.payout': say('Pago de su saldo', 'Payout'),
    'balance.payout-cancelled': say('Pago cancelado', 'Payout cancelled'),
    'balance.payout-returned': say('Pago devuelto por el banco', 'Payout returned by the bank'),
    'balance.recovery': say('Debe un pago de saldo', 'Owes a payout'),
    'default.opened': say('Se atrasó', 'Fell into default'),
    'default.paid': say('Pagó su atraso', 'Left the default'),
    'default.withdrawn': say('Atraso retirado: pagó a tiempo', 'Default withdrawn: paid in time'),
    'request.refused': say('Solicitud rechazada', 'Request refused'),
    'message.requested': say('SMS', 'SMS'),
    'customer.imported': say('Alta con un mayorista', 'Became a customer'),
    'verification.started': say('Verificación iniciada', 'Verification started'),
    'verification.approved': say('Verificación aprobada', 'Verification approved'),
    'document.received': say('Documento recibido', 'Document received'),
    'phone.changed': say('Cambió de teléfono', 'Changed its phone'),
    'corner-store.approved': say('Tienda aprobada', 'Store approved'),
    'corner-store.rejected': say('Tienda rechazada', 'Store rejected'),
    'corner-store.changed': say('Condiciones cambiadas', 'Terms changed'),
    'corner-store.phone-hold-cleared': say('Teléfono liberado', 'Phone hold cleared'),
    'corner-store.paused': say('Tienda pausada', 'Store paused'),
    'corner-store.resumed': say('Pausa levantada', 'Pause lifted'),
    ...privacyEvents(),
    'phone.revealed': say('Teléfono visto', 'Phone seen'),
    'tax-profile.set': say('Datos para facturar registrados', 'Tax profile set'),
    'tax-profile.removed': say('Datos para facturar borrados', 'Tax profile removed'),
    'user.phone-changed': say('Teléfono cambiado', 'Phone changed'),
    'user.phone-confirmed': say('Teléfono confirmado', 'Phone confirmed'),
    'user.names-changed': say('Nombre cambiado', 'Name changed'),
    'onboarding.consented': say('Aceptó el aviso de privacidad', 'Consented to the privacy notice'),
    'onboarding.step-taken': say('Paso del registro', 'Step of the onboarding'),
  });
  return name === type ? say('Otro evento', 'Another event') : name;
}

/** What concerns the data of the owner. */
function privacyEvents(): Record<string, string> {
  return {
    'corner-store.blocked': say('Tienda bloqueada', 'Store blocked'),
    'person.blocked': say('Datos bloqueados', 'Data blocked'),
    'person.erased': say('Datos suprimidos', 'Data erased'),
    'privacy-request.opened': say('Solicitud sobre sus datos', 'Request about its data'),
    'privacy-request.answered': say('Solicitud respondida', 'Request answered'),
    'privacy-request.done': say('Solicitud terminada', 'Request done'),
    'privacy-package.fetched': say('Copia de sus datos descargada', 'Copy of its data downloaded'),
    'opposition.ended': say('Quiere recordatorios otra vez', 'Wants reminders again'),
    'whatsapp.agreed': say('Aceptó WhatsApp', 'Agreed to WhatsApp'),
    'whatsapp.ended': say('Ya no quiere WhatsApp', 'No more WhatsApp'),
  };
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
