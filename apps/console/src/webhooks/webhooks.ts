import type { Html } from '@fiado/chassis/html';
import { buttonForm } from '../frame/form';
import { textOf } from '../frame/formats';
import { listPage, part } from '../frame/lists';
import { change, show, type Route } from '../frame/serve';
import { mayDo, type Page, type Visit } from '../frame/visit';
import { eventTypeName, say, stateBadge } from '../frame/words';

const webhooks = show('/webhooks', showWebhooks);

export const webhookRoutes: Route[] = [
  webhooks,
  change(webhooks, ':webhookEndpointId/activar', 'guardado', 'enableWebhookEndpoint'),
];

/** Deliveries that fail, and the webhook endpoints of all owners. */
async function showWebhooks(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const failing = await failingPart(visit);
  const mayEnable = mayDo(viewer, 'operator');
  return listPage(visit, {
    title: 'Webhooks',
    list: ({ cursor }) => viewer.ops.webhookEndpoints.list({ cursor }),
    rowsOf: ({ webhookEndpoints }) => webhookEndpoints,
    lead: say(
      'Direcciones de mayoristas y proveedores a las que Fiado manda eventos.',
      'Addresses of wholesalers and providers that Fiado sends events to.',
    ),
    before: failing,
    empty: say('Nadie recibe webhooks.', 'Nobody receives webhooks.'),
    columns: [
      [say('Dirección', 'Endpoint'), 'url', 'name'],
      [say('Estado', 'State'), ({ state }) => stateBadge('endpoint', state), 'state'],
      [say('Fallos', 'Failures'), 'failures'],
      [say('Falla desde', 'Failing since'), 'failingSince', 'when'],
      [
        say('Acción', 'Action'),
        ({ webhookEndpointId: id, state }) =>
          state === 'disabled' &&
          mayEnable &&
          buttonForm(viewer, {
            action: `/webhooks/${id}/activar`,
            label: say('Activar', 'Enable'),
          }),
      ],
    ],
  });
}

function failingPart(visit: Visit): Promise<Html> {
  const { viewer } = visit;
  return part({
    title: say('Envíos que fallan', 'Failing deliveries'),
    list: () => viewer.ops.webhookEndpoints.listFailing(),
    rowsOf: ({ deliveries }) => deliveries,
    empty: say('Ningún envío falla.', 'No delivery fails.'),
    columns: [
      [say('Evento', 'Event'), ({ type }) => eventTypeName(type), 'name'],
      [say('Estado', 'State'), ({ status }) => stateBadge('delivery', status), 'state'],
      [say('Intentos', 'Attempts'), 'attempts'],
      [
        say('Última respuesta', 'Last answer'),
        ({ lastStatusCode, lastError }) => textOf(lastStatusCode?.toString() ?? lastError),
      ],
      [say('Siguiente intento', 'Next attempt'), 'nextAttemptAt', 'when'],
    ],
  });
}
