import { html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { pesosOf, textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** Debts that are past their last day. */
export function showCollection(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Cobranza', 'Collection'),
    path: '/receivables?status=overdue',
    rowsOf: (answer) => answer['receivables'] as Array<Record<string, unknown>>,
    columns: [
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId, externalId }) =>
          html`<a href="/tiendas/${textOf(cornerStoreId)}">${textOf(externalId)}</a>`,
      ],
      [say('Referencia', 'Reference'), (debt) => textOf(debt['idFactura'])],
      [say('Debe', 'Due'), (debt) => pesosOf(debt['amountDue'])],
      [say('Días de atraso', 'Days overdue'), (debt) => textOf(debt['daysOverdue'])],
      [say('Venció', 'Last day'), (debt) => timeOf(debt['paymentDate'])],
    ],
  });
}
