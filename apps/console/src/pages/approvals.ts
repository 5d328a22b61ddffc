import { html } from '@fiado/chassis/html';
import { queryOf, type Visit } from '../http/visit';
import { changeStatusName, kindName } from './change-words';
import { filterLinks } from './filter-links';
import { textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

const STATUSES = ['pending', 'approved', 'executed', 'failed', 'rejected', 'expired'] as const;

/** Changes that wait for a second person, or those of another state; newest first. */
export function showApprovals(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const asked = queryOf(visit, 'status');
  const status = STATUSES.find((one) => one === asked) ?? 'pending';
  const here = (one: string): string =>
    one === 'pending' ? '/aprobaciones' : `/aprobaciones?status=${one}`;
  return listPage(visit, {
    title: say('Aprobaciones', 'Approvals'),
    list: (cursor) => viewer.ops.changeRequests.list({ status, cursor }),
    rowsOf: ({ changeRequests }) => changeRequests,
    before: filterLinks(
      say,
      STATUSES.map((one) => [here(one), changeStatusName(one, say)]),
      here(status),
    ),
    empty:
      status === 'pending'
        ? say('Nada espera aprobación.', 'Nothing waits for approval.')
        : say('No hay solicitudes así.', 'There are no such requests.'),
    columns: [
      [
        say('Cambio', 'Change'),
        ({ changeRequestId, kind }) =>
          html`<a href="/aprobaciones/${changeRequestId}">${kindName(kind, say)}</a>`,
      ],
      [
        say('Quién pide', 'Asked by'),
        ({ requestedBy, requestedByName }) =>
          requestedBy === viewer.staffId
            ? say('tú', 'you')
            : textOf(requestedByName ?? requestedBy),
      ],
      [say('Por qué', 'Why'), ({ reason }) => textOf(reason)],
      [say('Pedido', 'Asked'), ({ requestedAt }) => timeOf(requestedAt)],
      [say('Vence', 'Expires'), ({ expiresAt }) => timeOf(expiresAt)],
    ],
  });
}
