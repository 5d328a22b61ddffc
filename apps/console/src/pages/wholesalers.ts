import { html } from '@fiado/chassis/html';
import type { Visit } from '../http/visit';
import { percentOf, pesosOf, textOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** Wholesalers and their settings. */
export function showWholesalers(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage(visit, {
    title: say('Mayoristas', 'Wholesalers'),
    list: (cursor) => visit.viewer.ops.wholesalers.list({ cursor }),
    rowsOf: ({ wholesalers }) => wholesalers,
    empty: say('Todavía no hay mayoristas.', 'There are no wholesalers yet.'),
    columns: [
      [
        say('Nombre', 'Name'),
        ({ wholesalerId, name }) => html`<a href="/mayoristas/${wholesalerId}">${name}</a>`,
      ],
      [say('Mínimo', 'Minimum'), (wholesaler) => pesosOf(wholesaler.minimumTransactionAmount)],
      [say('Comisión', 'Commission'), ({ commissionRate }) => percentOf(commissionRate)],
      [say('Plazo en días', 'Term in days'), ({ paymentTermDays }) => textOf(paymentTermDays)],
    ],
  });
}
