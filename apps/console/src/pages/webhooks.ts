import { html, NOTHING, type Html } from '@fiado/shared/html';
import { partOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { textOf, timeOf } from './formats';
import { buttonForm } from './form';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';
import { part } from './part';
import { endpointStateName } from './status-words';

interface WebhookEndpoint {
  webhookEndpointId: string;
  url: string;
  state: string;
  failures: number;
  failingSince: string | null;
}

interface FailingDelivery {
  type: string;
  attempts: number;
  lastStatusCode: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
}

/** Deliveries that fail, and the webhook endpoints of all owners. */
export async function showWebhooks(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const failing = await failingPart(visit);
  const mayEnable = mayDo(viewer, 'operator');
  return listPage<WebhookEndpoint>(visit, {
    title: 'Webhooks',
    path: '/webhook-endpoints',
    rowsOf: (answer) => answer['webhookEndpoints'] as WebhookEndpoint[],
    before: html`${failing}
      <h2>${say('Direcciones', 'Endpoints')}</h2>`,
    empty: say('Nadie recibe webhooks.', 'Nobody receives webhooks.'),
    columns: [
      ['URL', ({ url }) => url],
      [say('Estado', 'State'), ({ state }) => endpointStateName(state, say)],
      [say('Fallos', 'Failures'), ({ failures }) => textOf(failures)],
      [say('Falla desde', 'Failing since'), ({ failingSince }) => timeOf(failingSince)],
      [
        say('Acción', 'Action'),
        ({ webhookEndpointId: id, state }) =>
          state === 'disabled' && mayEnable
            ? buttonForm(viewer, {
                action: `/webhooks/${id}/activar`,
                label: say('Activar', 'Enable'),
              })
            : NOTHING,
      ],
    ],
  });
}

function failingPart(visit: Visit): Promise<Html> {
  const { say } = visit;
  return part<FailingDelivery>(visit, {
    title: say('Envíos que fallan', 'Failing deliveries'),
    path: '/webhook-deliveries',
    rowsOf: (answer) => answer['deliveries'] as FailingDelivery[],
    empty: say('Ningún envío falla.', 'No delivery fails.'),
    columns: [
      [say('Evento', 'Event'), ({ type }) => type],
      [say('Intentos', 'Attempts'), ({ attempts }) => textOf(attempts)],
      [
        say('Última respuesta', 'Last answer'),
        ({ lastStatusCode, lastError }) => textOf(lastStatusCode?.toString() ?? lastError),
      ],
      [say('Siguiente intento', 'Next attempt'), ({ nextAttemptAt }) => timeOf(nextAttemptAt)],
    ],
  });
}

export async function enableWebhook(visit: Visit): Promise<Redirect> {
  const id = partOf(visit, 'webhookEndpointId');
  await visit.viewer.api.call('POST', `/webhook-endpoints/${id}/enable`);
  return { redirect: '/webhooks' };
}
