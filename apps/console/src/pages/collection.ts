import { html } from '@fiado/chassis/html';
import { queryOf, type Visit } from '../http/visit';
import { filterLinks } from './filter-links';
import { lastDayOf, pesosOf, textOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';
import { debtStatusName } from './status-words';

const STATUSES = ['overdue', 'pending', 'paid'] as const;

/** Debts that are past their last day, or those of another state. */
export function showCollection(visit: Visit): Promise<Page> {
  const { say } = visit;
  const asked = queryOf(visit, 'status');
  const status = STATUSES.find((one) => one === asked) ?? 'overdue';
  const here = (one: string): string =>
    one === 'overdue' ? '/cobranza' : `/cobranza?status=${one}`;
  return listPage(visit, {
    title: say('Cobranza', 'Collection'),
    list: (cursor) => visit.viewer.ops.receivables.list({ status, cursor }),
    rowsOf: ({ receivables }) => receivables,
    before: filterLinks(
      say,
      STATUSES.map((one) => [here(one), debtStatusName(one, say)]),
      here(status),
    ),
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
