import { html, type Html } from '@fiado/chassis/html';
import type { ItemOf } from '@fiado/ops-client/operations';
import { textOf, timeOf } from '../frame/formats';
import { listPage } from '../frame/lists';
import { show, type Route } from '../frame/serve';
import type { Page, Visit } from '../frame/visit';
import type { Say } from '../frame/words';
import { eventDetails, isLook } from '../stores/timeline';

export const auditRoutes: Route[] = [show('/auditoria', showAudit)];

type Entry = ItemOf<'listAuditEntries', 'entries'>;

/** The audit log, newest first. */
function showAudit(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage(visit, {
    title: say('Auditoría', 'Audit'),
    list: (cursor) => visit.viewer.ops.auditEntries.list({ cursor }),
    rowsOf: ({ entries }) => entries,
    columns: [
      [say('Cuándo', 'When'), ({ occurredAt }) => timeOf(occurredAt)],
      [say('Quién', 'Who'), (entry) => actorOf(entry, visit)],
      [say('Qué', 'What'), ({ action }) => action],
      [say('Objeto', 'Object'), ({ objectId }) => textOf(objectId)],
      [say('Detalles', 'Details'), (entry) => detailsOf(entry, say)],
    ],
  });
}

function actorOf({ actorId, actorName }: Entry, { say, viewer }: Visit): string | Html {
  if (actorId === viewer.staffId) return say('tú', 'you');
  if (typeof actorName !== 'string') return textOf(actorId);
  return html`<span title="${textOf(actorId)}">${actorName}</span>`;
}

/** Old and new values in words; of a look, all that it showed. */
function detailsOf({ action: type, details }: Entry, say: Say): string | Html {
  const lines = Object.entries(details);
  if (lines.length === 0) return '—';
  if (!isLook(type)) return eventDetails({ type, subjectId: null, details }, say);
  return html`<ul class="plain">
    ${lines.map(([name, value]) => html`<li>${name}: ${textOf(value)}</li>`)}
  </ul>`;
}
