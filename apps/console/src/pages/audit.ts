import type { Visit } from '../http/visit';
import { textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';

/** The audit log, newest first. */
export function showAudit(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Auditoría', 'Audit'),
    path: '/audit',
    rowsOf: (answer) => answer['entries'] as Array<Record<string, unknown>>,
    columns: [
      [say('Cuándo', 'When'), (entry) => timeOf(entry['occurredAt'])],
      [say('Quién', 'Who'), (entry) => textOf(entry['actorId'])],
      [say('Qué', 'What'), (entry) => textOf(entry['action'])],
      [say('Objeto', 'Object'), (entry) => textOf(entry['objectId'])],
      [say('Detalles', 'Details'), (entry) => textOf(entry['details'])],
    ],
  });
}
