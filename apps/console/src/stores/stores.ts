import { html, type Html } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { choiceFilter, listFilters } from '../frame/filters';
import { percentOf, pesosOf, when } from '../frame/formats';
import { listPage } from '../frame/lists';
import { show, type Route } from '../frame/serve';
import { stateBadge } from '../frame/states';
import { storeNameOf } from '../frame/store-names';
import { queryOf, type Page, type Visit } from '../frame/visit';
import type { Say } from '../frame/words';
import { wholesalerChoices } from '../frame/wholesalers';

export const storesRoutes: Route[] = [show('/tiendas', showStores)];

const STATES = [
  '',
  'approved',
  'pre-approved',
  'in-manual-validation',
  'in-payment-default',
  'phone-held',
  'paused',
] as const;

/** Corner stores, newest first. */
async function showStores(visit: Visit): Promise<Page> {
  const { say } = visit;
  const label = say('Mayorista', 'Wholesaler');
  const { status, chips } = listFilters(visit, '/tiendas', {
    states: STATES,
    kind: 'store',
    all: say('Todas', 'All'),
    filters: [choiceFilter(visit, 'mayorista', label, await wholesalerChoices(visit))],
  });
  return listPage(visit, {
    title: say('Tiendas', 'Stores'),
    list: ({ cursor }) =>
      visit.viewer.ops.cornerStores.list({
        ...(status === 'phone-held' && { phoneHeld: 'true' as const }),
        ...(status === 'paused' && { paused: 'true' as const }),
        ...(status !== 'phone-held' && status !== 'paused' && status !== '' && { status }),
        ...wholesalerOf(visit),
        cursor,
      }),
    rowsOf: ({ cornerStores }) => cornerStores,
    before: chips,
    empty: say('Ninguna tienda así.', 'No such store.'),
    columns: [
      [say('Tienda', 'Store'), (store) => storeCell(store), 'name'],
      [say('Estado', 'Status'), (store) => storeBadge(store, say), 'state'],
      [say('Teléfono', 'Phone'), (store) => store.phoneNumber],
      [say('Alta', 'Created'), (store) => when(store.createdAt), 'when'],
      [say('Tasa', 'Rate'), (store) => percentOf(store.interestRate)],
      [say('Línea', 'Limit'), (store) => pesosOf(store.creditLimit), 'money'],
    ],
  });
}

/** The wholesaler that a list is asked for. */
export function wholesalerOf(visit: Visit): { wholesalerId?: string } {
  const wholesalerId = queryOf(visit, 'mayorista');
  return wholesalerId === '' ? {} : { wholesalerId };
}

/** A corner store; a viewer gets initials and a masked phone. */
export type Store = Schema<'CornerStoreDetails'>;

function storeCell(store: Store): Html {
  const owner = store.cornerStoreName === null ? '' : ownerOf(store);
  return html`<a href="/tiendas/${store.cornerStoreId}">${storeNameOf(store)}</a>
    <small>${owner}</small>`;
}

export function ownerOf({ firstName, lastNames }: Store): string {
  return `${firstName} ${lastNames}`;
}

/**
 * The state of a store. One that was rejected is pre-approved to wholesalers, and can try again; one that
 * is blocked or erased is so for good.
 */
export function storeBadge(store: Store, say: Say): Html {
  const { status, rejectionReason, blockedAt, erasedAt, paused } = store;
  if (erasedAt !== null) return stateBadge('store', 'erased', say);
  if (blockedAt !== null) return stateBadge('store', 'blocked', say);
  // Of a release before, it is undefined.
  if (paused != null) return stateBadge('store', 'paused', say);
  const isRejected = status === 'pre-approved' && rejectionReason !== null;
  return stateBadge('store', isRejected ? 'rejected' : status, say);
}
