import { html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { percentOf, pesosOf, textOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** Wholesalers and their settings. */
export function showWholesalers(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Mayoristas', 'Wholesalers'),
    path: '/wholesalers',
    rowsOf: (answer) => answer['wholesalers'] as Array<Record<string, unknown>>,
    empty: say('Todavía no hay mayoristas.', 'There are no wholesalers yet.'),
    columns: [
      [
        say('Nombre', 'Name'),
        (wholesaler) =>
          html`<a href="/mayoristas/${textOf(wholesaler['wholesalerId'])}"
            >${textOf(wholesaler['name'])}</a
          >`,
      ],
      [say('Mínimo', 'Minimum'), (wholesaler) => pesosOf(wholesaler['minimumTransactionAmount'])],
      [say('Comisión', 'Commission'), (wholesaler) => percentOf(wholesaler['commissionRate'])],
      [say('Plazo en días', 'Term in days'), (wholesaler) => textOf(wholesaler['paymentTermDays'])],
    ],
  });
}
