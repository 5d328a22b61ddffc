import type { Visit } from '../http/visit';
import { pesosOf, textOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** Wholesalers and their settings. */
export function showWholesalers(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Mayoristas', 'Wholesalers'),
    path: '/wholesalers',
    rowsOf: (answer) => answer['wholesalers'] as Array<Record<string, unknown>>,
    columns: [
      [say('Nombre', 'Name'), (wholesaler) => textOf(wholesaler['name'])],
      [say('Mínimo', 'Minimum'), (wholesaler) => pesosOf(wholesaler['minimumTransactionAmount'])],
      [say('Comisión', 'Commission'), (wholesaler) => textOf(wholesaler['commissionRate'])],
      [say('Plazo en días', 'Term in days'), (wholesaler) => textOf(wholesaler['paymentTermDays'])],
      ['Id', (wholesaler) => textOf(wholesaler['wholesalerId'])],
    ],
  });
}
