import type { Html } from '@fiado/chassis/html';
import { buttonForm } from '../frame/form';
import { textOf } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { part } from '../frame/parts';
import { change, type Route } from '../frame/serve';
import { mayDo, type Visit } from '../frame/visit';
import { eventTypeName, say } from '../frame/words';

const webhooks = list('/webhooks', webhooksOf);

export const webhookRoutes: Route[] = [
  webhooks,
  change(webhooks, ':webhookEndpointId/activar', 'guardado', 'enableWebhookEndpoint'),
];

/** The webhook endpoints of all owners, below deliveries that fail. */
function webhooksOf(visit: Visit): Listing<'listAllWebhookEndpoints'> {
  const mayEnable = mayDo(visit.viewer, 'operator');
  return {
    of: 'listAllWebhookEndpoints',
    title: 'Webhooks',
    lead: say(
      'Direcciones de mayoristas y proveedores a las que Fiado manda eventos.',
      'Addresses of wholesalers and providers that Fiado sends events to.',
    ),
    before: () => failingPart(visit),
    empty: say('Nadie recibe webhooks.', 'Nobody receives webhooks.'),
    columns: [
      [say('Dirección', 'Endpoint'), 'url', 'name'],
      [say('Estado', 'State'), 'state', 'endpoint'],
      [say('Fallos', 'Failures'), 'failures'],
      [say('Falla desde', 'Failing since'), 'failingSince', 'when'],
      [
        say('Acción', 'Action'),
        ({ webhookEndpointId: id, state }) =>
          state === 'disabled' &&
          mayEnable &&
          buttonForm(visit.viewer, `/webhooks/${id}/activar`, say('Activar', 'Enable')),
      ],
    ],
  };
}

function failingPart(visit: Visit): Promise<Html> {
  return part(visit, {
    of: 'listFailingDeliveries',
    title: say('Envíos que fallan', 'Failing deliveries'),
    empty: say('Ningún envío falla.', 'No delivery fails.'),
    columns: [
      [say('Evento', 'Event'), ({ type }) => eventTypeName(type), 'name'],
      [say('Estado', 'State'), 'status', 'delivery'],
      [say('Intentos', 'Attempts'), 'attempts'],
      [
        say('Última respuesta', 'Last answer'),
        ({ lastStatusCode, lastError }) => textOf(lastStatusCode?.toString() ?? lastError),
      ],
      [say('Siguiente intento', 'Next attempt'), 'nextAttemptAt', 'when'],
    ],
  });
}
