import { amountColumns, fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { type Choices, daysFilter } from '../frame/filters';
import { dayAt, named } from '../frame/formats';
import { type FiledListing, listWithFile } from '../frame/list-file';
import { storeColumn, storeNames, type StoreNames, wholesalerFilter } from '../frame/names';
import type { Columns } from '../frame/parts';
import { queryOf, type Visit } from '../frame/visit';
import { say, stateColumn, statesOf } from '../frame/words';

export const orderListRoutes = listWithFile('/pedidos', ordersOf);

/** Orders of all wholesalers, newest first. */
function ordersOf(visit: Visit): FiledListing<'listOpsTransactions', StoreNames> {
  const id = queryOf(visit, 'tienda');
  return {
    of: 'listOpsTransactions',
    title: say('Pedidos', 'Orders'),
    states: { kind: 'order', all: say('Todos', 'All'), shown: ['', ...statesOf('order')] },
    filters: [
      daysFilter(visit),
      wholesalerFilter(visit),
      // A store's page leads here: nobody types an id.
      id !== '' && ['tienda', say('Tienda', 'Store'), 'cornerStoreId', storeChoice(visit, id)],
    ],
    sorts: ['-createdAt', 'createdAt'],
    counted: [
      say('pedido', 'order'),
      say('pedidos', 'orders'),
      say('con interés e IVA', 'with interest and IVA'),
    ],
    compares: true,
    empty: say('Ningún pedido así.', 'No such order.'),
    names: (orders) => storeNames(visit, orders),
    href: orderHref,
    columns: [
      ...orderColumns(),
      storeColumn(),
      [say('Mayorista', 'Wholesaler'), ({ wholesaler }) => named(wholesaler)],
      ['', ({ wholesalerTransactionId }) => wholesalerTransactionId ?? '', 'note'],
      [say('Estado', 'Status'), 'transactionStatus', 'order'],
      [say('Total', 'Total'), 'totalAmountWithInterests', 'money'],
    ],
    file: {
      columns: FILE_COLUMNS,
      sumsBy: FILE_STATE,
      more: ({ cornerStoreId, paymentDate, paymentTimeZone }, stores) => ({
        store: stores.get(cornerStoreId)?.name ?? '',
        lastDay: dayAt(paymentDate, paymentTimeZone),
      }),
    },
  };
}

async function storeChoice(visit: Visit, cornerStoreId: string): Promise<Choices> {
  const stores = await storeNames(visit, [{ cornerStoreId }]);
  return [[cornerStoreId, stores.get(cornerStoreId)?.name ?? say('Una tienda', 'One store')]];
}

type Order = AnswerOf<'listOpsTransactions'>['transactions'][number];

export const orderHref = ({ transactionId }: Order): string => `/pedidos/${transactionId}`;

/** The number of an order, and when it was made. */
export function orderColumns(): Columns<Order> {
  return [
    [say('Pedido', 'Order'), 'incrementalID', 'name'],
    [say('Hecho', 'Made'), 'createdAt', 'when'],
  ];
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
