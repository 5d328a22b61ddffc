import type { Html } from '@fiado/chassis/html';
import { buttonForm } from '../frame/form';
import { link, named } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { wholesalerNames } from '../frame/names';
import { type Column, partOf, table, unlessRefused } from '../frame/parts';
import { firstPage, type RowOf, unlessDown } from '../frame/read';
import { change, type Route } from '../frame/serve';
import { mayDo, type Visit } from '../frame/visit';
import { eventTypeName, say, naming } from '../frame/words';

const webhooks = list('/webhooks', webhooksOf);

export const webhookRoutes: Route[] = [
  webhooks,
  change(webhooks, ':webhookEndpointId/activar', 'guardado', 'enableWebhookEndpoint'),
];

interface Owned {
  ownerId: string;
}

/** The pages of owners of webhook endpoints, by ids. */
type Owners = ReadonlyMap<string, Html>;

/** The webhook endpoints of all owners, below deliveries that fail. */
function webhooksOf(visit: Visit): Listing<'listAllWebhookEndpoints', Owners> {
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
    names: (rows) => ownersOf(visit, rows),
    columns: [
      [say('Dirección', 'Endpoint'), 'url', 'name'],
      ownerColumn(),
      [
        say('Estado', 'State'),
        ({ state, failures }) => (state === 'enabled' && failures > 0 ? 'failing' : state),
        'endpoint',
      ],
      [say('Fallos seguidos', 'Failures in a row'), ({ failures }) => String(failures)],
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

async function failingPart(visit: Visit): Promise<Html> {
  const title = say('Envíos que fallan', 'Failing deliveries');
  const content = firstPage(visit.viewer.ops.webhookEndpoints.listFailing()).then(
    async ({ deliveries }) =>
      table<RowOf<'listFailingDeliveries'>, Owners>(
        title,
        [
          [say('Evento', 'Event'), ({ type }) => eventTypeName(type), 'name'],
          [say('Sobre', 'About'), aboutLink],
          ownerColumn(),
          [say('Estado', 'State'), 'status', 'delivery'],
          [say('Intentos', 'Attempts'), 'attempts'],
          [
            say('Última respuesta', 'Last answer'),
            ({ lastStatusCode, lastError }) => lastAnswer(lastStatusCode, lastError),
          ],
          [say('Siguiente intento', 'Next attempt'), 'nextAttemptAt', 'when'],
        ],
        deliveries,
        {
          empty: say('Ningún envío falla.', 'No delivery fails.'),
          names: await ownersOf(visit, deliveries),
        },
      ),
  );
  return partOf(title, await unlessRefused(content));
}

/** Pages of what events are about, by their types. */
const PAGES: Array<[types: RegExp, path: string, name: () => string]> = [
  [/^transaction\.disput/, '/disputas', () => say('Ver disputa', 'See the dispute')],
  [
    /^transaction\.(created|confirmed|delivered|cancelled|expired|paid|payment-reversed)$/,
    '/pedidos',
    () => say('Ver pedido', 'See the order'),
  ],
  [/^deposit\./, '/depositos', () => say('Ver depósito', 'See the deposit')],
  [/^statement\./, '/liquidaciones', () => say('Ver liquidación', 'See the statement')],
];

/** What a delivery is about, where that has a page; a notifier of the release before does not tell. */
function aboutLink({ type, subjectId }: RowOf<'listFailingDeliveries'>): Html | string {
  const found = PAGES.find(([types]) => types.test(type));
  if (found === undefined || (subjectId as string | undefined) === undefined) return '—';
  const [, path, name] = found;
  return link(`${path}/${subjectId}`, name());
}

function ownerColumn<Row extends Owned>(): Column<Row, Owners> {
  return [say('De quién', 'Owner'), ({ ownerId }, owners) => owners.get(ownerId) ?? '—'];
}

/** Links to the owners of these rows. There are few providers, so their names are read first. */
async function ownersOf(visit: Visit, rows: readonly Owned[]): Promise<Owners> {
  const owners = new Map<string, Html>();
  const ids = new Set(rows.map(({ ownerId }) => ownerId));
  if (ids.size === 0) return owners;
  const { paymentProviders } = visit.viewer.ops;
  const providers = await unlessDown(firstPage(paymentProviders.list({ limit: 100 })));
  for (const { paymentProviderId: id, name } of providers?.paymentProviders ?? []) {
    if (ids.delete(id)) owners.set(id, link(`/proveedores/${id}`, named(name)));
  }
  const wholesalers = await unlessDown(wholesalerNames(visit, [], [...ids]));
  for (const id of ids) {
    const name = wholesalers?.get(id);
    if (name !== undefined) owners.set(id, link(`/mayoristas/${id}`, named(name)));
  }
  return owners;
}

const failureName = naming({
  TIMEOUT: ['no respondió a tiempo', 'no answer in time'],
  CONNECTION_REFUSED: ['rechazó la conexión', 'refused the connection'],
  CONNECTION_RESET: ['cortó la conexión', 'closed the connection'],
  NOT_REACHED: ['no se alcanzó', 'could not be reached'],
  ADDRESS_NOT_ALLOWED: ['su dirección no se permite', 'its address is not allowed'],
  DNS: ['su nombre no existe o no se resuelve', 'its name is not resolved'],
  TLS: ['su certificado no vale', 'its certificate is not valid'],
  NOT_HTTP: ['no respondió como un sitio web', 'its answer was not HTTP'],
  SENDER_LOST: ['se interrumpió el envío', 'the sending was interrupted'],
});

/** The status that a receiver answered, or why there was no answer. */
export function lastAnswer(status: number | null, error: string | null): string {
  if (status !== null) return say(`respondió ${status}`, `answered ${status}`);
  return failureName(error);
}
