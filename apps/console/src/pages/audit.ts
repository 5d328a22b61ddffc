import { html, type Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import type { Say } from '../words';
import { textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';
import { eventDetails, isLook } from './timeline-words';

/** The audit log, newest first. */
export function showAudit(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Auditoría', 'Audit'),
    path: '/audit',
    rowsOf: (answer) => answer['entries'] as Array<Record<string, unknown>>,
    columns: [
      [say('Cuándo', 'When'), (entry) => timeOf(entry['occurredAt'])],
      [say('Quién', 'Who'), (entry) => actorOf(entry, visit)],
      [say('Qué', 'What'), (entry) => textOf(entry['action'])],
      [say('Objeto', 'Object'), (entry) => textOf(entry['objectId'])],
      [say('Detalles', 'Details'), (entry) => detailsOf(entry, say)],
    ],
  });
}

function actorOf(entry: Record<string, unknown>, { say, viewer }: Visit): string | Html {
  const { actorId, actorName } = entry;
  if (actorId === viewer.staffId) return say('tú', 'you');
  if (typeof actorName !== 'string') return textOf(actorId);
  return html`<span title="${textOf(actorId)}">${actorName}</span>`;
}

/** Old and new values in words; of a look, all that it showed. */
function detailsOf(entry: Record<string, unknown>, say: Say): string | Html {
  const type = textOf(entry['action']);
  const details = Object(entry['details']) as Record<string, unknown>;
  const lines = Object.entries(details);
  if (lines.length === 0) return '—';
  if (!isLook(type)) return eventDetails({ type, subjectId: null, details }, say);
  return html`<ul class="plain">
    ${lines.map(([name, value]) => html`<li>${name}: ${textOf(value)}</li>`)}
  </ul>`;
}
