import { queryOf, type Visit } from '../http/visit';
import { orderColumn } from './columns';
import { filterLinks } from './filter-links';
import { pesosOf, textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';
import { orderStatusName } from './status-words';

const STATUSES = [
  'pending-verification',
  'on-hold',
  'delivery',
  'in-payment-default',
  'paid',
  'cancelled',
  'expired',
] as const;

/** Orders of all wholesalers, newest first, by status. */
export function showOrders(visit: Visit): Promise<Page> {
  const { say } = visit;
  const asked = queryOf(visit, 'status');
  const status = STATUSES.find((one) => one === asked);
  const query = status === undefined ? '' : `?status=${status}`;
  return listPage(visit, {
    title: say('Pedidos', 'Orders'),
    list: (cursor) => visit.viewer.ops.transactions.list({ status, cursor }),
    rowsOf: ({ transactions }) => transactions,
    before: filterLinks(
      say,
      [
        ['/pedidos', say('todos', 'all')],
        ...STATUSES.map((one) => [`/pedidos?status=${one}`, orderStatusName(one, say)] as const),
      ],
      `/pedidos${query}`,
    ),
    empty: say('No hay pedidos así.', 'There are no such orders.'),
    columns: [
      orderColumn(say),
      [say('Mayorista', 'Wholesaler'), ({ wholesaler }) => wholesaler],
      [say('Clave del mayorista', 'Their id'), (order) => textOf(order.wholesalerTransactionId)],
      [say('Estado', 'Status'), (order) => orderStatusName(order.transactionStatus, say)],
      [say('Total', 'Total'), (order) => pesosOf(order.totalAmountWithInterests)],
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
    ],
  });
}
