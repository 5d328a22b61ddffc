import { html, type Html } from '@fiado/chassis/html';
import { MESSAGE_TEMPLATES } from '@fiado/contracts/message-catalogue';
import type { ItemOf } from '@fiado/ops-client/operations';
import { resendUnknownMessages } from '@fiado/ops-client/resend-unknown-messages';
import { form } from '../frame/form';
import { list, type Listing } from '../frame/lists';
import { part, type Columns } from '../frame/parts';
import { storeColumn, storeNames, type StoreNames } from '../frame/names';
import { change, type Route } from '../frame/serve';
import { fieldOf, mayDo, queryOf, type Visit } from '../frame/visit';
import { say, templateName, naming } from '../frame/words';

const messages = list('/mensajes', messagesOf);

export const messageRoutes: Route[] = [
  messages,
  change(messages, 'reenviar', 'reenviado', ({ ops, visit }) =>
    resendUnknownMessages(ops, fieldOf(visit, 'since'), false),
  ),
];

/** SMS, newest first. */
function messagesOf(visit: Visit): Listing<'searchMessages', StoreNames> {
  const kinds = MESSAGE_TEMPLATES.map((one) => [one, templateName(one)] as const);
  return {
    of: 'searchMessages',
    title: say('Mensajes', 'Messages'),
    lead: say('SMS y WhatsApp de los últimos 90 días.', 'SMS and WhatsApp of the last 90 days.'),
    states: {
      kind: 'message',
      all: say('Todos', 'All'),
      shown: ['', 'failed', 'unknown', 'pending', 'sent', 'delivered', 'expired'],
    },
    filters: [['tipo', say('Tipo', 'Kind'), 'template', kinds]],
    before: () => mayDo(visit.viewer, 'operator') && resendPart(visit),
    empty: say('Ningún mensaje así.', 'No such message.'),
    names: (messages) => storeNames(visit, messages),
    columns: [
      ...messageColumns(),
      storeColumn(),
      [say('Creado', 'Created'), 'createdAt', 'when'],
      [say('Enviado', 'Sent'), 'sentAt', 'time'],
    ],
  };
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
    [say('Mensaje', 'Message'), ({ template }) => templateName(template), 'name'],
    ['', ({ reason }) => (reason === null ? '' : messageReasonName(reason)), 'note'],
    [say('Estado', 'Status'), 'status', 'message'],
    [say('Canal', 'Channel'), ({ channel }) => (channel === 'whatsapp' ? 'WhatsApp' : 'SMS')],
    [say('Teléfono', 'Phone'), 'phoneNumber', 'phone'],
  ];
}

/** The messages about an order, as its page and that of its dispute show them. */
export function messagesOfOrder(order: { transactionId: string }, visit: Visit): Promise<Html> {
  return part(visit, {
    of: 'searchMessages',
    asked: { transactionId: order.transactionId },
    title: say('Mensajes', 'Messages'),
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [...messageColumns(), [say('Enviado', 'Sent'), 'sentAt', 'when']],
  });
}

/** Why a message was not delivered; a code of the provider stays as it is. */
export const messageReasonName = naming({
  EXPIRED: ['caducó antes de salir', 'it expired before it was sent'],
  BLOCKED: ['la persona está bloqueada', 'the person is blocked'],
  FAILED: ['el proveedor no pudo entregarlo', 'the provider could not deliver it'],
  CLAIM_LOST: ['se interrumpió el envío', 'the sending was interrupted'],
  SENDER_LOST: ['se interrumpió el envío', 'the sending was interrupted'],
  'wholesaler-cap': ['el mayorista llegó a su límite', 'the wholesaler is at its limit'],
  'unknown-number-budget': [
    'hay muchos números nuevos, así que espera',
    'there are many new numbers, so it waits',
  ],
  NO_ANSWER: ['el proveedor no respondió', 'the provider did not answer'],
  NOT_REACHED: ['no se alcanzó al proveedor', 'the provider was not reached'],
  SANDBOX: ['así lo pide la prueba', 'as the test asks'],
  SMS_FOLLOWS: ['se manda por SMS', 'goes by SMS instead'],
  'phone-cap': ['demasiados mensajes a este teléfono', 'too many messages to this phone'],
});
