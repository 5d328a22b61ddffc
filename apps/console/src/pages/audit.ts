import { html, type Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import { textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** The audit log, newest first. */
export function showAudit(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const whoOf = (id: unknown): string => (id === viewer.staffId ? say('tú', 'you') : textOf(id));
  return listPage<Record<string, unknown>>(visit, {
    title: say('Auditoría', 'Audit'),
    path: '/audit',
    rowsOf: (answer) => answer['entries'] as Array<Record<string, unknown>>,
    columns: [
      [say('Cuándo', 'When'), (entry) => timeOf(entry['occurredAt'])],
      [say('Quién', 'Who'), (entry) => whoOf(entry['actorId'])],
      [say('Qué', 'What'), (entry) => textOf(entry['action'])],
      [say('Objeto', 'Object'), (entry) => textOf(entry['objectId'])],
      [say('Detalles', 'Details'), (entry) => detailsOf(entry['details'])],
    ],
  });
}

/** A line for each detail. */
function detailsOf(details: unknown): string | Html {
  const lines = Object.entries(Object(details) as Record<string, unknown>);
  if (lines.length === 0) return '—';
  return html`<ul class="plain">
    ${lines.map(([name, value]) => html`<li>${name}: ${textOf(value)}</li>`)}
  </ul>`;
}
