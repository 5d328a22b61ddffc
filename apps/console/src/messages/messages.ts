import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { resendUnknownMessages } from '@fiado/ops-client/resend-unknown-messages';
import { form } from '../frame/form';
import { textOf, timeOf } from '../frame/formats';
import { listPage, type Columns } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { fieldOf, mayDo, queryOf, type Page, type Redirect, type Visit } from '../frame/visit';
import { messageStatusName, type Say } from '../frame/words';

export const messageRoutes: Route[] = [
  show('/mensajes', showMessages),
  act('/mensajes/reenviar', resendMessages, showMessages),
];

/** SMS, newest first. */
async function showMessages(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage(visit, {
    title: say('Mensajes', 'Messages'),
    list: (cursor) => visit.viewer.ops.messages.search(cursor === undefined ? {} : { cursor }),
    before: mayDo(visit.viewer, 'operator') ? await resendPart(visit) : NOTHING,
    rowsOf: ({ messages }) => messages,
    columns: [
      [say('Mensaje', 'Message'), ({ template }) => template],
      [say('Teléfono', 'Phone'), ({ phoneNumber }) => textOf(phoneNumber)],
      [say('Estado', 'Status'), ({ status }) => messageStatusName(status, say)],
      [say('Motivo', 'Reason'), ({ reason }) => textOf(reason)],
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
      [say('Enviado', 'Sent'), ({ sentAt }) => timeOf(sentAt)],
    ],
  });
}

/** After an outage of the SMS provider: a day, what would be sent again, and the button that sends it. */
async function resendPart(visit: Visit): Promise<Html> {
  const { say } = visit;
  const since = queryOf(visit, 'desde');
  const ask = html`<form method="get" action="/mensajes">
    <label for="desde">${say('Mensajes desde', 'Messages since')}</label>
    <input id="desde" name="desde" type="date" value="${since}" required />
    <button class="second">${say('Contar', 'Count')}</button>
  </form>`;
  return html`<details ${since === '' ? NOTHING : html`open`}>
    <summary>${say('Reenviar los desconocidos', 'Send unknown ones again')}</summary>
    <p>
      ${say(
        'No se sabe si un mensaje desconocido se envió. Algunas tiendas pueden recibirlo dos veces. Solo se reenvían claves, palabras y avisos que todavía hacen falta.',
        'Nobody knows whether an unknown message was sent. Some stores may get it twice. Only codes, words and reminders that are still needed are sent again.',
      )}
    </p>
    ${ask} ${since === '' ? NOTHING : await countedPart(visit, since)}
  </details>`;
}

async function countedPart(visit: Visit, since: string): Promise<Html> {
  const { say } = visit;
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

/** Sends the unknown messages since a day again. */
async function resendMessages(visit: Visit): Promise<Redirect> {
  await resendUnknownMessages(visit.viewer.ops, fieldOf(visit, 'since'), false);
  return { redirect: '/mensajes' };
}

/** Kind, phone and outcome of a message. */
export function messageColumns(say: Say): Columns<ItemOf<'listMessages', 'messages'>> {
  return [
    [say('Mensaje', 'Message'), ({ template }) => template],
    [say('Teléfono', 'Phone'), ({ phoneNumber }) => textOf(phoneNumber)],
    [say('Estado', 'Status'), ({ status }) => messageStatusName(status, say)],
    [say('Motivo', 'Reason'), ({ reason }) => textOf(reason)],
  ];
}
