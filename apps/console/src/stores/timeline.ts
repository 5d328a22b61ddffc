import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { MAX_TIMELINE_PAGE } from '@fiado/contracts/timeline';
import type { ItemOf } from '@fiado/ops-client/operations';
import { changeFieldName, changeValue } from '../approvals/change-words';
import { pesosOf, textOf, timeOf } from '../frame/formats';
import { firstPage, table, unlessRefused } from '../frame/lists';
import { missingNotice, serviceName } from '../frame/refusal';
import { queryOf, type Visit } from '../frame/visit';
import { messageStatusName, orderStatusName, stepName, wordFor, type Say } from '../frame/words';

/** Something that happened to a store. */
export type TimelineEntry = ItemOf<'getTimeline', 'entries'>;

/** Entries in a row; more than one where people of the lender only looked at the store. */
type Row = TimelineEntry & { times: number };

/** What happened to a store in all services, newest first, with a link to the next page. */
export async function timelinePart(visit: Visit, cornerStoreId: string): Promise<Html> {
  const { viewer, say } = visit;
  const cursor = queryOf(visit, 'historial');
  const query = { limit: MAX_TIMELINE_PAGE, ...(cursor !== '' && { cursor }) };
  const title = say('Qué ha pasado', 'What happened');
  const page = firstPage(viewer.ops.cornerStores.timeline(cornerStoreId, query)).then(
    ({ entries, missing, nextCursor }) =>
      html`${missingNotice(missing, say)}
      ${table<Row>(
        title,
        [
          [say('Cuándo', 'When'), ({ occurredAt }) => timeOf(occurredAt)],
          [
            say('Qué', 'What'),
            ({ type, times }) => `${eventName(type, say)}${times === 1 ? '' : ` (${times})`}`,
          ],
          [say('Servicio', 'Service'), ({ service }) => serviceName(service, say)],
          [say('Detalles', 'Details'), (entry) => eventDetails(entry, say)],
        ],
        rowsOf(entries),
        say('Todavía no ha pasado nada.', 'Nothing has happened yet.'),
      )}
      ${nextCursor === null ? NOTHING : earlier(visit, cornerStoreId, nextCursor)}`,
  );
  return html`<h2 id="historial">${title}</h2>
    ${await unlessRefused(page, say)}`;
}

/** Each look of a person is audited, so looks would hide what happened: those in a row are one. */
function rowsOf(entries: TimelineEntry[]): Row[] {
  const rows: Row[] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if (last !== undefined && isLook(last.type) && isLook(entry.type)) last.times += 1;
    else rows.push({ ...entry, times: 1 });
  }
  return rows;
}

function earlier({ say }: Visit, cornerStoreId: string, cursor: string): Html {
  const query = new URLSearchParams({ historial: cursor });
  return html`<p>
    <a href="/tiendas/${cornerStoreId}?${String(query)}#historial"
      >${say('Lo anterior', 'Earlier')}</a
    >
  </p>`;
}

/** Whether somebody of the lender only looked. */
export function isLook(type: string): boolean {
  return /\.(viewed|listed|searched)$/.test(type);
}

/** An event in words; one of a later release keeps its own name. */
function eventName(type: string, say: Say): string {
  if (isLook(type)) return say('consulta del personal', 'looked at by staff');
  return wordFor(type, {
    'order.created': say('pidió a crédito', 'ordered on credit'),
    'order.confirmed': say('confirmó el pedido', 'confirmed the order'),
    'order.delivered': say('recibió el pedido', 'received the order'),
    'order.cancelled': say('pedido cancelado', 'order cancelled'),
    'order.expired': say('pedido expirado', 'order expired'),
    'credit.adjusted': say('línea ajustada', 'credit adjusted'),
    'credit.repaid': say('línea liberada', 'credit repaid'),
    'credit.reversed': say('línea ocupada otra vez', 'credit used again'),
    'debt.opened': say('nuevo adeudo', 'new debt'),
    'payment.applied': say('pago aplicado', 'payment applied'),
    'payment.reversed': say('pago revertido', 'payment reversed'),
    'balance.surplus': say('saldo a favor', 'credit balance'),
    'balance.spent': say('usó su saldo a favor', 'credit balance used'),
    'balance.returned': say('saldo usado, regresado', 'used balance returned'),
    'balance.reversal': say('saldo revertido', 'balance reversed'),
    'balance.unassigned': say(
      'saldo de otra tienda, quitado',
      'balance of another store taken away',
    ),
    'balance.payout': say('pago de su saldo', 'payout'),
    'balance.payout-cancelled': say('pago cancelado', 'payout cancelled'),
    'balance.payout-returned': say('pago devuelto por el banco', 'payout returned by the bank'),
    'balance.recovery': say('debe un pago de saldo', 'owes a payout'),
    'default.opened': say('cayó en mora', 'fell into default'),
    'default.paid': say('salió de la mora', 'left the default'),
    'message.requested': say('mensaje', 'message'),
    'customer.imported': say('alta con un mayorista', 'became a customer'),
    'verification.started': say('verificación iniciada', 'verification started'),
    'verification.approved': say('verificación aprobada', 'verification approved'),
    'document.received': say('documento recibido', 'document received'),
    'phone.changed': say('cambió de teléfono', 'changed its phone'),
    'corner-store.approved': say('tienda aprobada', 'store approved'),
    'corner-store.rejected': say('tienda rechazada', 'store rejected'),
    'corner-store.changed': say('condiciones cambiadas', 'terms changed'),
    'corner-store.phone-hold-cleared': say('teléfono liberado', 'phone hold cleared'),
    'user.phone-changed': say('teléfono cambiado', 'phone changed'),
    'user.names-changed': say('nombre cambiado', 'name changed'),
    'onboarding.consented': say('aceptó el aviso de privacidad', 'consented to the privacy notice'),
    'onboarding.step-taken': say('paso del registro', 'step of the onboarding'),
  });
}

/** The facts of an event, with a link to its order where it has one. */
export function eventDetails(
  { type, subjectId, details }: Pick<TimelineEntry, 'type' | 'subjectId' | 'details'>,
  say: Say,
): Html {
  if (isLook(type)) return NOTHING;
  const { before, after, actorKind: _actorKind, ...facts } = details;
  const isOrder = subjectId !== null && /^(order|credit|debt|payment|default)\./.test(type);
  return html`<ul class="plain">
    ${isOrder ? html`<li><a href="/pedidos/${subjectId}">${say('ver el pedido', 'see the order')}</a></li>` : NOTHING}
    ${changesOf(before, after, say)}
    ${Object.entries(facts).map(([name, value]) => html`<li>${factName(name, say)}: ${factText(name, value, say)}</li>`)}
  </ul>`;
}

/** Old and new values, as the audit log has them. */
function changesOf(before: unknown, after: unknown, say: Say): Html[] {
  // Of a role, the values themselves.
  if (typeof after === 'string') return [html`<li>${textOf(before)} → ${after}</li>`];
  const old = Object(before) as Record<string, unknown>;
  return Object.entries(Object(after) as Record<string, unknown>).map(
    ([field, value]) =>
      html`<li>
        ${changeFieldName(field, say)}: ${changeValue(field, old[field], say)} →
        ${changeValue(field, value, say)}
      </li>`,
  );
}

function factName(name: string, say: Say): string {
  return wordFor(name, {
    totalAmount: say('monto', 'amount'),
    amount: say('monto', 'amount'),
    amountDue: say('debe', 'due'),
    creditUsed: say('línea usada', 'credit used'),
    incrementalID: say('pedido', 'order'),
    wholesalerTransactionId: say('clave del mayorista', 'their id'),
    externalId: say('clave de cliente', 'customer id'),
    status: say('estado', 'status'),
    reason: say('motivo', 'reason'),
    template: say('texto', 'text'),
    phoneNumber: say('teléfono', 'phone'),
    attempts: say('intentos', 'attempts'),
    sentAt: say('enviado', 'sent'),
    expiresAt: say('vence', 'expires'),
    dueAt: say('último día', 'last day'),
    step: say('paso', 'step'),
    actorId: say('quién', 'who'),
    codeStatus: say('estado del código', 'state of the code'),
    codeSends: say('códigos enviados', 'codes sent'),
    codeChecks: say('intentos del código', 'checks of the code'),
    codeExpiresAt: say('el código vence', 'the code expires'),
    byLink: say('por enlace', 'by link'),
  });
}

function factText(name: string, value: unknown, say: Say): string {
  if (name.endsWith('At')) return timeOf(value);
  if (typeof value === 'boolean') return value ? say('sí', 'yes') : 'no';
  if (typeof value === 'number' && /amount|creditUsed/i.test(name)) return pesosOf(value);
  if (name === 'step') return stepName(textOf(value), say);
  if (name !== 'status') return textOf(value);
  // Orders and messages have a status each; a name that one does not know stays as it is.
  return messageStatusName(orderStatusName(value, say), say);
}
