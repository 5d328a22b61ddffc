import { html, type Html } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { percentOf, pesosOf, timeOf } from '../frame/formats';
import { filterLinks, listPage } from '../frame/lists';
import { show, type Route } from '../frame/serve';
import { queryOf, type Page, type Visit } from '../frame/visit';
import { wordFor, type Say } from '../frame/words';

export const storesRoutes: Route[] = [show('/tiendas', showStores)];

const STATUSES = [
  'pre-approved',
  'in-manual-validation',
  'approved',
  'in-payment-default',
] as const;

/** Stores whose changed phone holds orders. */
const HELD = '/tiendas?telefono=retenido';

/** Corner stores, newest first, by status. */
function showStores(visit: Visit): Promise<Page> {
  const { say } = visit;
  const asked = queryOf(visit, 'status');
  const status = STATUSES.find((known) => known === asked);
  const isHeld = queryOf(visit, 'telefono') === 'retenido';
  const query = status === undefined ? '' : `?status=${status}`;
  return listPage(visit, {
    title: say('Tiendas', 'Stores'),
    list: (cursor) =>
      visit.viewer.ops.cornerStores.list({
        ...(isHeld ? { phoneHeld: 'true' as const } : { status }),
        cursor,
      }),
    rowsOf: ({ cornerStores }) => cornerStores,
    before: filterLinks(
      say,
      [
        ['/tiendas', say('todas', 'all')],
        ...STATUSES.map((one) => [`/tiendas?status=${one}`, statusName(one, say)] as const),
        [HELD, say('teléfono por confirmar', 'phone to confirm')],
      ],
      isHeld ? HELD : `/tiendas${query}`,
    ),
    columns: [
      [say('Tienda', 'Store'), (store) => storeLink(store)],
      [say('Estado', 'Status'), (store) => statusName(store.status, say)],
      [say('Línea', 'Limit'), (store) => pesosOf(store.creditLimit)],
      [say('Tasa', 'Rate'), (store) => percentOf(store.interestRate)],
      [say('Teléfono', 'Phone'), (store) => store.phoneNumber],
      [say('Alta', 'Created'), (store) => timeOf(store.createdAt)],
    ],
  });
}

function storeLink(store: Store): Html {
  return html`<a href="/tiendas/${store.cornerStoreId}">${nameOf(store)}</a>`;
}

/** A corner store; a viewer gets initials and a masked phone. */
export type Store = Schema<'CornerStoreDetails'>;

export function statusName(status: string, say: Say): string {
  return wordFor(status, {
    'pre-approved': say('preaprobada', 'pre-approved'),
    'in-manual-validation': say('por validar', 'to validate'),
    approved: say('aprobada', 'approved'),
    'in-payment-default': say('con atraso', 'in default'),
  });
}

export function nameOf({ firstName, lastNames, cornerStoreName }: Store): string {
  const owner = `${firstName} ${lastNames}`;
  return cornerStoreName === null ? owner : `${cornerStoreName} · ${owner}`;
}
