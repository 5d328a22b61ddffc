import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import type { AnswerOf, Schema } from '@fiado/ops-client/operations';
import { named, percentOf, phoneOf } from '../frame/formats';
import { type FiledListing, listWithFile } from '../frame/list-file';
import { storeNameOf, wholesalerFilter } from '../frame/names';
import type { Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say, stateColumn } from '../frame/words';

export const storesRoutes: Route[] = listWithFile('/tiendas', storesOf);

/** Corner stores, newest first. */
function storesOf(visit: Visit): FiledListing<'listCornerStores'> {
  return {
    of: 'listCornerStores',
    title: say('Tiendas', 'Stores'),
    states: {
      kind: 'store',
      all: say('Todas', 'All'),
      shown: [
        '',
        'approved',
        'pre-approved',
        'in-manual-validation',
        'in-payment-default',
        'phone-held',
        'paused',
      ],
      asks: { 'phone-held': { phoneHeld: 'true' }, paused: { paused: 'true' } },
    },
    filters: [wholesalerFilter(visit)],
    sorts: ['-createdAt', 'createdAt'],
    counted: [say('tienda', 'store'), say('tiendas', 'stores')],
    empty: say('Ninguna tienda así.', 'No such store.'),
    href: ({ cornerStoreId }) => `/tiendas/${cornerStoreId}`,
    columns: [
      [say('Tienda', 'Store'), (store) => named(storeNameOf(store)), 'name'],
      ['', (store) => (store.cornerStoreName === null ? '' : ownerOf(store)), 'note'],
      [say('Estado', 'Status'), shownStatus, 'store'],
      [say('Teléfono', 'Phone'), 'phoneNumber', 'phone'],
      [say('Alta', 'Created'), 'createdAt', 'when'],
      [say('Tasa', 'Rate'), 'interestRate', 'percent'],
      [say('Línea', 'Limit'), 'creditLimit', 'money'],
    ],
    file: {
      columns: FILE_COLUMNS,
      more: (store) => ({
        store: storeNameOf(store),
        owner: ownerOf(store),
        phone: phoneOf(store.phoneNumber),
        keys: store.customers.map(({ externalId }) => externalId).join(' '),
        status: shownStatus(store),
        rate: percentOf(store.interestRate),
      }),
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

/** A store with its credit, its debts and its wholesalers. */
export type StoreOverview = Store & Omit<AnswerOf<'getCornerStoreOverview'>, 'cornerStore'>;

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
 * The state of a store in a word of the API, or of what was decided on it. One that was rejected is pre-approved to
 * wholesalers, and can try again; one that is blocked or erased is so for good.
 */
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
