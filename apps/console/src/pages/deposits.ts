import { html } from '@fiado/chassis/html';
import { queryOf, type Visit } from '../http/visit';
import { filterLinks } from './filter-links';
import { pesosOf, textOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';
import { depositStatusName } from './status-words';

const STATUSES = ['unmatched', 'received', 'applied', 'reversed'] as const;

/** Deposits that belong to no debt yet, or those of another state. */
export function showDeposits(visit: Visit): Promise<Page> {
  const { say } = visit;
  const asked = queryOf(visit, 'status');
  const status = STATUSES.find((one) => one === asked) ?? 'unmatched';
  const here = (one: string): string =>
    one === 'unmatched' ? '/depositos' : `/depositos?status=${one}`;
  return listPage(visit, {
    title: say('Depósitos', 'Deposits'),
    list: (cursor) => visit.viewer.ops.deposits.list({ status, cursor }),
    rowsOf: ({ deposits }) => deposits,
    before: filterLinks(
      say,
      STATUSES.map((one) => [here(one), depositStatusName(one, say)]),
      here(status),
    ),
    empty: say('No hay depósitos así.', 'There are no such deposits.'),
    columns: [
      [
        say('Monto', 'Amount'),
        ({ depositId, valor }) => html`<a href="/depositos/${depositId}">${pesosOf(valor)}</a>`,
      ],
      [say('Pagado', 'Paid at'), ({ fechaPago }) => fechaPago],
      ['idFactura', ({ idFactura }) => textOf(idFactura)],
      ['numeroReferencia', ({ numeroReferencia }) => textOf(numeroReferencia)],
      [say('Proveedor', 'Provider'), ({ paymentProvider }) => paymentProvider],
      [
        say('Aprobación', 'Approval'),
        ({ pendingChange }) =>
          pendingChange == null ? '—' : say('espera a otra persona', 'waits for somebody'),
      ],
    ],
  });
}
