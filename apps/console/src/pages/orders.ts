import type { Visit } from '../http/visit';
import { pesosOf, textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** Orders of all wholesalers, newest first. */
export function showOrders(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Pedidos', 'Orders'),
    path: '/transactions',
    rowsOf: (answer) => answer['transactions'] as Array<Record<string, unknown>>,
    columns: [
      [say('Pedido', 'Order'), (order) => textOf(order['incrementalID'])],
      [say('Mayorista', 'Wholesaler'), (order) => textOf(order['wholesaler'])],
      [say('Clave del mayorista', 'Their id'), (order) => textOf(order['wholesalerTransactionId'])],
      [say('Estado', 'Status'), (order) => textOf(order['transactionStatus'])],
      [say('Total', 'Total'), (order) => pesosOf(order['totalAmountWithInterests'])],
      [say('Creado', 'Created'), (order) => timeOf(order['createdAt'])],
    ],
  });
}
