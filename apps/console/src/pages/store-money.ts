import type { Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { debtColumns, orderColumn } from './columns';
import { pesosOf, textOf, timeOf } from './formats';
import { part } from './part';
import { orderStatusName } from './status-words';
import type { Store } from './store-fields';

type Row = Record<string, unknown>;

/** The newest orders of a store. */
export function ordersPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { say } = visit;
  return part<Row>(visit, {
    title: say('Pedidos', 'Orders'),
    path: `/transactions?cornerStoreId=${cornerStoreId}`,
    rowsOf: (answer) => answer['transactions'] as Row[],
    empty: say('No tiene pedidos.', 'It has no orders.'),
    columns: [
      orderColumn(say),
      [say('Mayorista', 'Wholesaler'), (order) => textOf(order['wholesaler'])],
      [say('Estado', 'Status'), (order) => orderStatusName(order['transactionStatus'], say)],
      [say('Total', 'Total'), (order) => pesosOf(order['totalAmountWithInterests'])],
      [say('Creado', 'Created'), (order) => timeOf(order['createdAt'])],
    ],
  });
}

/** The newest debts of a store. */
export function debtsPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { say } = visit;
  return part<Row>(visit, {
    title: say('Adeudos', 'Debts'),
    path: `/receivables?cornerStoreId=${cornerStoreId}`,
    rowsOf: (answer) => answer['receivables'] as Row[],
    empty: say('No tiene adeudos.', 'It has no debts.'),
    columns: [
      [say('Referencia', 'Reference'), (debt) => textOf(debt['idFactura'])],
      ...debtColumns(say),
    ],
  });
}
