import { html, NOTHING, type Html } from '@fiado/shared/html';
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
  return listPage<Record<string, unknown>>(visit, {
    title: say('Mensajes', 'Messages'),
    path: '/messages/search',
    isSearch: true,
    before: mayDo(visit.viewer, 'operator') ? await resendPart(visit) : NOTHING,
    rowsOf: (answer) => answer['messages'] as Array<Record<string, unknown>>,
    columns: [
      [say('Mensaje', 'Message'), (message) => textOf(message['template'])],
      [say('Teléfono', 'Phone'), (message) => textOf(message['phoneNumber'])],
      [say('Estado', 'Status'), (message) => messageStatusName(message['status'], say)],
      [say('Motivo', 'Reason'), (message) => textOf(message['reason'])],
      [say('Creado', 'Created'), (message) => timeOf(message['createdAt'])],
      [say('Enviado', 'Sent'), (message) => timeOf(message['sentAt'])],
    ],
  });
}

interface Resent {
  unknown: number;
  resent: number;
  nextCursor: string | null;
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
  const { unknown, resent } = await resendAll(visit, since, true);
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
  await resendAll(visit, fieldOf(visit, 'since'), false);
  return { redirect: '/mensajes' };
}

async function resendAll(
  { viewer }: Visit,
  since: string,
  dryRun: boolean,
): Promise<Pick<Resent, 'unknown' | 'resent'>> {
  const sum = { unknown: 0, resent: 0 };
  let cursor: string | null = null;
  do {
    const body: object = { status: 'unknown', since, dryRun, ...(cursor !== null && { cursor }) };
    const page: Resent = await viewer.api.call<Resent>('POST', '/messages/resend', body);
    sum.unknown += page.unknown;
    sum.resent += page.resent;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return sum;
}
