import type { Html } from '@fiado/chassis/html';
import type { Visit } from '../http/visit';
import { debtColumns, orderColumn } from './columns';
import { pesosOf, timeOf } from './formats';
import { part } from './part';
import { orderStatusName } from './status-words';
import type { Store } from './store-fields';

/** The newest orders of a store. */
export function ordersPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Pedidos', 'Orders'),
    list: () => viewer.ops.transactions.list({ cornerStoreId }),
    rowsOf: ({ transactions }) => transactions,
    empty: say('No tiene pedidos.', 'It has no orders.'),
    columns: [
      orderColumn(say),
      [say('Mayorista', 'Wholesaler'), ({ wholesaler }) => wholesaler],
      [say('Estado', 'Status'), (order) => orderStatusName(order.transactionStatus, say)],
      [say('Total', 'Total'), (order) => pesosOf(order.totalAmountWithInterests)],
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
    ],
  });
}

/** The newest debts of a store. */
export function debtsPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Adeudos', 'Debts'),
    list: () => viewer.ops.receivables.list({ cornerStoreId }),
    rowsOf: ({ receivables }) => receivables,
    empty: say('No tiene adeudos.', 'It has no debts.'),
    columns: [[say('Referencia', 'Reference'), ({ idFactura }) => idFactura], ...debtColumns(say)],
  });
}
