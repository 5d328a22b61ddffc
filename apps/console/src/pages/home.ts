import { html, type Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { ApiRefusal } from '../api';
import type { Page } from './page';

/** What waits for somebody, each with a link to where it is done. */
export async function showHome(visit: Visit): Promise<Page> {
  const { say } = visit;
  const waiting = await Promise.all([
    card(visit, {
      path: '/corner-stores?status=in-manual-validation',
      field: 'cornerStores',
      link: '/validacion',
      label: say('tiendas por validar', 'stores to validate'),
    }),
    card(visit, {
      path: '/deposits?status=unmatched&limit=100',
      field: 'deposits',
      link: '/depositos',
      label: say('depósitos sin asignar', 'unmatched deposits'),
    }),
    card(visit, {
      path: '/jobs?state=failed&limit=100',
      field: 'jobs',
      link: '/trabajos',
      label: say('trabajos fallidos', 'failed jobs'),
    }),
    card(visit, {
      path: '/webhook-deliveries?limit=100',
      field: 'deliveries',
      link: '/webhooks',
      label: say('webhooks que fallan', 'failing webhooks'),
    }),
  ]);
  return {
    title: say('Lo que espera', 'What waits'),
    content: html`<ul class="cards">
      ${waiting}
    </ul>`,
  };
}

/** The number of a first page; more than a page is a plus. A service that is down does not hide the others. */
async function card(
  { viewer, say }: Visit,
  { path, field, link, label }: { path: string; field: string; link: string; label: string },
): Promise<Html> {
  const number = await viewer.api
    .call<Record<string, unknown>>('GET', path)
    .then((answer) => {
      const rows = answer[field];
      const count = Array.isArray(rows) ? rows.length : 0;
      return `${count}${typeof answer['nextCursor'] === 'string' ? '+' : ''}`;
    })
    .catch((error: unknown) => {
      if (error instanceof ApiRefusal) return say('sin respuesta', 'no answer');
      throw error;
    });
  return html`<li><strong>${number}</strong> <a href="${link}">${label}</a></li>`;
}
