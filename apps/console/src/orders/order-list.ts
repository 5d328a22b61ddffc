import { amountColumns, fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { choiceFilter, daysFilter, type Filter, listFilters } from '../frame/filters';
import { dayAt, link, named, textOf } from '../frame/formats';
import type { FiledListing } from '../frame/list-file';
import type { Column } from '../frame/lists';
import { storeColumn, storeNames, wholesalerChoices, wholesalerFilter } from '../frame/names';
import { queryOf, type Visit } from '../frame/visit';
import { say, stateBadge, stateColumn, statesOf } from '../frame/words';

const STATES = ['', ...statesOf('order')] as const;

type Status = (typeof STATES)[number];

const SORTS = ['-createdAt', 'createdAt'] as const;

/** The state of the orders that are asked for, and the chips of the list. */
async function filtersOf(
  visit: Visit,
  days: Filter,
): Promise<ReturnType<typeof listFilters<Status>>> {
  const cornerStoreId = queryOf(visit, 'tienda');
  const rows = cornerStoreId === '' ? [] : [{ cornerStoreId }];
  const stores = await storeNames(visit, rows);
  const choices = rows.map(
    ({ cornerStoreId: id }) =>
      [id, stores.get(id)?.name ?? say('Una tienda', 'One store')] as const,
  );
  const wholesalers = await wholesalerChoices(visit);
  return listFilters(visit, '/pedidos', {
    states: STATES,
    kind: 'order',
    all: say('Todos', 'All'),
    filters: [
      days,
      wholesalerFilter(visit, wholesalers),
      // A store's page leads here: nobody types an id.
      ...(choices.length === 0
        ? []
        : [choiceFilter(visit, 'tienda', say('Tienda', 'Store'), choices)]),
    ],
  });
}

type Orders = AnswerOf<'listOpsTransactions'>;
type Listed = Orders['transactions'][number];

/** Orders of all wholesalers, newest first. */
export async function ordersOf(
  visit: Visit,
): Promise<FiledListing<Orders, Listed, (typeof SORTS)[number]>> {
  const cornerStoreId = queryOf(visit, 'tienda');
  const days = daysFilter(visit);
  const { asked, chips } = await filtersOf(visit, days);
  return {
    title: say('Pedidos', 'Orders'),
    sorts: SORTS,
    counted: [say('pedido', 'order'), say('pedidos', 'orders')],
    list: (page, made) =>
      visit.viewer.ops.transactions.list({
        ...asked,
        ...(cornerStoreId !== '' && { cornerStoreId }),
        ...made,
        ...page,
      }),
    earlier: days.earlier,
    rowsOf: ({ transactions }) => transactions,
    before: chips,
    empty: say('Ningún pedido así.', 'No such order.'),
    columns: async ({ transactions }) => {
      const names = await storeNames(visit, transactions);
      return [
        orderColumn(),
        [say('Hecho', 'Made'), 'createdAt', 'when'],
        storeColumn(names),
        [
          say('Mayorista', 'Wholesaler'),
          ({ wholesaler, wholesalerTransactionId: id }) =>
            html`${named(wholesaler)}<small>${id === null ? '' : id}</small>`,
        ],
        orderStateColumn(),
        [say('Total', 'Total'), 'totalAmountWithInterests', 'money'],
      ];
    },
    file: {
      name: 'pedidos',
      columns: FILE_COLUMNS,
      sumsBy: FILE_STATE,
      rowsOf: ({ transactions }) => fileRows(visit, transactions),
    },
  };
}

const FILE_STATE = stateColumn('order', 'transactionStatus');

const FILE_COLUMNS: PeopleColumn[] = [
  ...fileColumns({ wholesaler: 'Mayorista', store: 'Tienda', incrementalID: 'Pedido' }),
  { field: 'wholesalerTransactionId', heading: 'Pedido del mayorista' },
  FILE_STATE,
  ...fileColumns({ createdAt: 'Hecho el', deliveredAt: 'Entregado el' }, 'time'),
  {
    field: 'deliveryProof',
    heading: 'Palabra de entrega',
    words: { word: 'Correcta', none: 'Sin palabra' },
  },
  { field: 'lastDay', heading: 'Vence', kind: 'day' },
  ...amountColumns('totalAmount', 'totalAmountWithInterests'),
  ...fileColumns({ transactionId: 'Id del pedido', cornerStoreId: 'Id de la tienda' }),
];

async function fileRows(visit: Visit, orders: readonly Listed[]): Promise<object[]> {
  const names = await storeNames(visit, orders);
  return orders.map((order) => ({
    ...order,
    store: names.get(order.cornerStoreId)?.name ?? '',
    lastDay: dayAt(order.paymentDate, order.paymentTimeZone),
  }));
}

/** An order's number, which leads to its page. */
export function orderColumn(): Column<Listed> {
  return [
    say('Pedido', 'Order'),
    ({ transactionId, incrementalID }) => link(`/pedidos/${transactionId}`, textOf(incrementalID)),
    'name',
  ];
}

export function orderStateColumn(): Column<Listed> {
  const status = ({ transactionStatus }: Listed): Html => stateBadge('order', transactionStatus);
  return [say('Estado', 'Status'), status, 'state'];
}
