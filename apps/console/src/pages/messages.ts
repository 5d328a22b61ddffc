import { resendUnknownMessages } from '@fiado/ops-client/resend-unknown-messages';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { fieldOf, queryOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { form } from './form';
import { textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';
import { messageStatusName } from './status-words';

/** SMS, newest first. */
export async function showMessages(visit: Visit): Promise<Page> {
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
export async function resendMessages(visit: Visit): Promise<Redirect> {
  await resendUnknownMessages(visit.viewer.ops, fieldOf(visit, 'since'), false);
  return { redirect: '/mensajes' };
}
