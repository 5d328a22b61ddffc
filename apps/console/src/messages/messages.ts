import { html, type Html } from '@fiado/chassis/html';
import { MESSAGE_TEMPLATES } from '@fiado/contracts/message-catalogue';
import type { ItemOf } from '@fiado/ops-client/operations';
import { resendUnknownMessages } from '@fiado/ops-client/resend-unknown-messages';
import { choiceFilter, listFilters } from '../frame/filters';
import { form } from '../frame/form';
import { phoneOf, textOf, when } from '../frame/formats';
import { listPage, PAGE_SIZE, part, type Columns } from '../frame/lists';
import { storeColumn, storeNames } from '../frame/names';
import { change, show, type Route } from '../frame/serve';
import { fieldOf, mayDo, queryOf, type Page, type Visit } from '../frame/visit';
import { say, stateBadge, templateName, wordFor } from '../frame/words';

const messages = show('/mensajes', showMessages);

export const messageRoutes: Route[] = [
  messages,
  change(messages, 'reenviar', 'reenviado', ({ ops, visit }) =>
    resendUnknownMessages(ops, fieldOf(visit, 'since'), false),
  ),
];

const STATES = ['', 'failed', 'unknown', 'pending', 'sent', 'delivered', 'expired'] as const;

/** SMS, newest first. */
async function showMessages(visit: Visit): Promise<Page> {
  const { asked, chips } = listFilters(visit, '/mensajes', {
    states: STATES,
    kind: 'message',
    all: say('Todos', 'All'),
    filters: [
      choiceFilter(
        visit,
        'tipo',
        say('Tipo', 'Kind'),
        MESSAGE_TEMPLATES.map((one) => [one, templateName(one)] as const),
      ),
    ],
  });
  const template = MESSAGE_TEMPLATES.find((one) => one === queryOf(visit, 'tipo'));
  return listPage(visit, {
    title: say('Mensajes', 'Messages'),
    lead: say('SMS y WhatsApp de los últimos 90 días.', 'SMS and WhatsApp of the last 90 days.'),
    list: ({ cursor }) =>
      visit.viewer.ops.messages.search({
        ...asked,
        ...(template !== undefined && { template }),
        ...(cursor !== undefined && { cursor }),
        limit: PAGE_SIZE,
      }),
    before: html`${chips} ${mayDo(visit.viewer, 'operator') && (await resendPart(visit))}`,
    rowsOf: ({ messages }) => messages,
    empty: say('Ningún mensaje así.', 'No such message.'),
    columns: async ({ messages }) => [
      ...messageColumns(),
      storeColumn(await storeNames(visit, messages)),
      [say('Creado', 'Created'), 'createdAt', 'when'],
      [say('Enviado', 'Sent'), ({ sentAt }) => when(sentAt)],
    ],
  });
}

/** After an outage of the SMS provider: a day, what would be sent again, and the button that sends it. */
async function resendPart(visit: Visit): Promise<Html> {
  const since = queryOf(visit, 'desde');
  const ask = html`<form method="get" action="/mensajes">
    <label for="desde">${say('Mensajes desde', 'Messages since')}</label>
    <input id="desde" name="desde" type="date" value="${since}" required />
    <button class="second">${say('Contar', 'Count')}</button>
  </form>`;
  return html`<details class="folded" ${since !== '' && html`open`}>
    <summary>${say('Reenviar los que no se confirmaron', 'Send unknown ones again')}</summary>
    <p>
      ${say(
        'No se sabe si un mensaje sin confirmar se envió. Algunas tiendas pueden recibirlo dos veces. Solo se reenvían claves, palabras y avisos que todavía hacen falta.',
        'Nobody knows whether an unknown message was sent. Some stores may get it twice. Only codes, words and reminders that are still needed are sent again.',
      )}
    </p>
    ${ask} ${since !== '' && (await countedPart(visit, since))}
  </details>`;
}

async function countedPart(visit: Visit, since: string): Promise<Html> {
  const { unknown, resent } = await resendUnknownMessages(visit.viewer.ops, since, true);
  const counted = say(
    `Se reenviarían ${resent} de ${unknown}.`,
    `${resent} of ${unknown} would be sent again.`,
  );
  if (resent === 0) return html`<p>${counted}</p>`;
  return html`<p>${counted}</p>
    ${form(visit, {
      action: '/mensajes/reenviar',
      fields: [],
      hidden: { since },
      button: say('Reenviar', 'Send again'),
    })}`;
}

/** Kind, phone and outcome of a message. */
export function messageColumns(): Columns<ItemOf<'searchMessages', 'messages'>> {
  return [
    [
      say('Mensaje', 'Message'),
      ({ template, reason }) =>
        html`${templateName(template)}<small
            >${reason === null ? '' : messageReasonName(reason)}</small
          >`,
      'name',
    ],
    [say('Estado', 'Status'), ({ status }) => stateBadge('message', status), 'state'],
    [say('Canal', 'Channel'), ({ channel }) => (channel === 'whatsapp' ? 'WhatsApp' : 'SMS')],
    [
      say('Teléfono', 'Phone'),
      ({ phoneNumber }) => html`<span class="whole">${phoneOf(textOf(phoneNumber))}</span>`,
    ],
  ];
}

/** The messages about an order, as its page and that of its dispute show them. */
export function messagesOfOrder(visit: Visit, transactionId: string): Promise<Html> {
  const { viewer } = visit;
  return part({
    title: say('Mensajes', 'Messages'),
    list: () => viewer.ops.messages.search({ transactionId }),
    rowsOf: ({ messages }) => messages,
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [...messageColumns(), [say('Enviado', 'Sent'), 'sentAt', 'when']],
  });
}

/** Why a message was not delivered; a code of the provider stays as it is. */
export function messageReasonName(reason: string): string {
  return wordFor(reason, {
    EXPIRED: say('caducó antes de salir', 'it expired before it was sent'),
    BLOCKED: say('la persona está bloqueada', 'the person is blocked'),
    FAILED: say('el proveedor no pudo entregarlo', 'the provider could not deliver it'),
    CLAIM_LOST: say('se interrumpió el envío', 'the sending was interrupted'),
    SENDER_LOST: say('se interrumpió el envío', 'the sending was interrupted'),
    'wholesaler-cap': say('el mayorista llegó a su límite', 'the wholesaler is at its limit'),
    'unknown-number-budget': say(
      'hay muchos números nuevos, así que espera',
      'there are many new numbers, so it waits',
    ),
    NO_ANSWER: say('el proveedor no respondió', 'the provider did not answer'),
    NOT_REACHED: say('no se alcanzó al proveedor', 'the provider was not reached'),
    SANDBOX: say('así lo pide la prueba', 'as the test asks'),
    SMS_FOLLOWS: say('se manda por SMS', 'goes by SMS instead'),
    'phone-cap': say('demasiados mensajes a este teléfono', 'too many messages to this phone'),
  });
}
