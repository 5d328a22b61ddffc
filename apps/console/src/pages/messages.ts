import type { Visit } from '../http/visit';
import { textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page } from './page';
import { messageStatusName } from './status-words';

/** SMS, newest first. */
export function showMessages(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage<Record<string, unknown>>(visit, {
    title: say('Mensajes', 'Messages'),
    path: '/messages',
    rowsOf: (answer) => answer['messages'] as Array<Record<string, unknown>>,
    columns: [
      [say('Mensaje', 'Message'), (message) => textOf(message['template'])],
      [say('Teléfono', 'Phone'), (message) => textOf(message['phoneNumber'])],
      [say('Estado', 'Status'), (message) => messageStatusName(message['status'], say)],
      [say('Motivo', 'Reason'), (message) => textOf(message['reason'])],
      [say('Creado', 'Created'), (message) => timeOf(message['createdAt'])],
      [say('Enviado', 'Sent'), (message) => timeOf(message['sentAt'])],
    ],
  });
}
