import { html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { lastDayOf, pesosOf, textOf } from '../frame/formats';
import { listPage, statusFilter, type Columns } from '../frame/lists';
import { show, type Route } from '../frame/serve';
import type { Page, Visit } from '../frame/visit';
import { debtStatusName, type Say } from '../frame/words';

export const collectionRoutes: Route[] = [show('/cobranza', showCollection)];

const STATUSES = ['overdue', 'pending', 'paid'] as const;

/** Debts that are past their last day, or those of another state. */
function showCollection(visit: Visit): Promise<Page> {
  const { say } = visit;
  const { status, links } = statusFilter(visit, '/cobranza', STATUSES, debtStatusName);
  return listPage(visit, {
    title: say('Cobranza', 'Collection'),
    list: (cursor) => visit.viewer.ops.receivables.list({ status, cursor }),
    rowsOf: ({ receivables }) => receivables,
    before: links,
    empty: say('No hay adeudos así.', 'There are no such debts.'),
    columns: [
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId, externalId }) =>
          html`<a href="/tiendas/${cornerStoreId}">${textOf(externalId)}</a>`,
      ],
      [
        say('Referencia', 'Reference'),
        ({ transactionId, idFactura }) =>
          html`<a href="/pedidos/${transactionId}">${idFactura}</a>`,
      ],
      [say('Debe', 'Due'), ({ amountDue }) => pesosOf(amountDue)],
      [say('Días de atraso', 'Days overdue'), ({ daysOverdue }) => textOf(daysOverdue)],
      [say('Último día', 'Last day'), (debt) => lastDayOf(debt)],
    ],
  });
}

/** State, amounts and last day of a debt. */
export function debtColumns(say: Say): Columns<ItemOf<'listReceivables', 'receivables'>> {
  return [
    [say('Estado', 'Status'), ({ status }) => debtStatusName(status, say)],
    [say('Debe', 'Due'), ({ amountDue }) => pesosOf(amountDue)],
    [say('Pagado', 'Paid'), ({ amountPaid }) => pesosOf(amountPaid)],
    [say('Vence', 'Last day'), (debt) => lastDayOf(debt)],
  ];
}
