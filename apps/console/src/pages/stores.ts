import { html, type Html } from '@fiado/chassis/html';
import { queryOf, type Visit } from '../http/visit';
import { filterLinks } from './filter-links';
import { percentOf, pesosOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';
import { nameOf, statusName, type Store } from './store-fields';

const STATUSES = [
  'pre-approved',
  'in-manual-validation',
  'approved',
  'in-payment-default',
] as const;

/** Stores whose changed phone holds orders. */
const HELD = '/tiendas?telefono=retenido';

/** Corner stores, newest first, by status. */
export function showStores(visit: Visit): Promise<Page> {
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
