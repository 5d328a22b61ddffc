import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html, type Html } from '@fiado/chassis/html';
import type { AnswerOf, Schema } from '@fiado/ops-client/operations';
import { listFilters } from '../frame/filters';
import { link, named, percentOf, phoneOf } from '../frame/formats';
import { filedList, type FiledListing } from '../frame/list-file';
import { storeNameOf, wholesalerChoices, wholesalerFilter, wholesalerOf } from '../frame/names';
import type { Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say, stateBadge, stateColumn } from '../frame/words';

export const storesRoutes: Route[] = filedList('/tiendas', storesOf);

const STATES = [
  '',
  'approved',
  'pre-approved',
  'in-manual-validation',
  'in-payment-default',
  'phone-held',
  'paused',
] as const;

const SORTS = ['-createdAt', 'createdAt'] as const;

/** Corner stores, newest first. */
async function storesOf(
  visit: Visit,
): Promise<FiledListing<AnswerOf<'listCornerStores'>, Store, (typeof SORTS)[number]>> {
  const { status, chips } = listFilters(visit, '/tiendas', {
    states: STATES,
    kind: 'store',
    all: say('Todas', 'All'),
    filters: [wholesalerFilter(visit, await wholesalerChoices(visit))],
  });
  return {
    title: say('Tiendas', 'Stores'),
    sorts: SORTS,
    counted: [say('tienda', 'store'), say('tiendas', 'stores')],
    list: ({ limit: _limit, ...page }) =>
      visit.viewer.ops.cornerStores.list({
        ...(status === 'phone-held' && { phoneHeld: 'true' as const }),
        ...(status === 'paused' && { paused: 'true' as const }),
        ...(status !== 'phone-held' && status !== 'paused' && status !== '' && { status }),
        ...wholesalerOf(visit),
        ...page,
      }),
    rowsOf: ({ cornerStores }) => cornerStores,
    before: chips,
    empty: say('Ninguna tienda así.', 'No such store.'),
    columns: [
      [say('Tienda', 'Store'), (store) => storeCell(store), 'name'],
      [say('Estado', 'Status'), (store) => storeBadge(store), 'state'],
      [
        say('Teléfono', 'Phone'),
        (store) => html`<span class="whole">${phoneOf(store.phoneNumber)}</span>`,
      ],
      [say('Alta', 'Created'), 'createdAt', 'when'],
      [say('Tasa', 'Rate'), (store) => percentOf(store.interestRate)],
      [say('Línea', 'Limit'), 'creditLimit', 'money'],
    ],
    file: {
      name: 'tiendas',
      columns: FILE_COLUMNS,
      rowsOf: ({ cornerStores }) =>
        cornerStores.map((store) => ({
          ...store,
          store: storeNameOf(store),
          owner: ownerOf(store),
          phone: phoneOf(store.phoneNumber),
          keys: store.customers.map(({ externalId }) => externalId).join(' '),
          status: shownStatus(store),
          rate: percentOf(store.interestRate),
        })),
    },
  };
}

const FILE_COLUMNS: PeopleColumn[] = [
  ...fileColumns({ store: 'Tienda', owner: 'Dueño', phone: 'Teléfono', keys: 'Claves de cliente' }),
  stateColumn('store'),
  { field: 'createdAt', heading: 'Alta', kind: 'time' },
  { field: 'rate', heading: 'Tasa' },
  { field: 'creditLimit', heading: 'Línea', kind: 'amount' },
  { field: 'cornerStoreId', heading: 'Id de la tienda' },
];

/** A corner store; a viewer gets initials and a masked phone. */
export type Store = Schema<'CornerStoreDetails'>;

function storeCell(store: Store): Html {
  const owner = store.cornerStoreName === null ? '' : ownerOf(store);
  return html`${link(`/tiendas/${store.cornerStoreId}`, named(storeNameOf(store)))}
    <small>${owner}</small>`;
}

export function ownerOf({ firstName, lastNames }: Store): string {
  return `${firstName} ${lastNames}`;
}

/** Customer's keys of a row: a store has one of each of its wholesalers. */
const MAX_KEYS = 3;

/** Owner, last digits of the phone, and customer's keys, which tell stores of one name apart. */
export function aboutStore(store: Store): string[] {
  const phone = store.phoneNumber === '' ? [] : [`…${store.phoneNumber.slice(-4)}`];
  const keys = store.customers.map(({ externalId }) => externalId);
  return [ownerOf(store), ...phone, ...keys.slice(0, MAX_KEYS)];
}

/**
 * The state of a store. One that was rejected is pre-approved to wholesalers, and can try again; one that
 * is blocked or erased is so for good.
 */
export function storeBadge(store: Store): Html {
  return stateBadge('store', shownStatus(store));
}

/** The state of a store in a word of the API, or of what was decided on it. */
export function shownStatus({
  status,
  rejectionReason,
  blockedAt,
  erasedAt,
  paused,
}: Store): string {
  if (erasedAt !== null) return 'erased';
  if (blockedAt !== null) return 'blocked';
  // Of a release before, it is undefined.
  if (paused != null) return 'paused';
  return status === 'pre-approved' && rejectionReason !== null ? 'rejected' : status;
}
