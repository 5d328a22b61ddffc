import { buttonForm } from '../frame/form';
import { when } from '../frame/formats';
import { listPage } from '../frame/lists';
import { change, show, type Route } from '../frame/serve';
import type { Page, Visit } from '../frame/visit';
import { say } from '../frame/words';

const sessions = show('/mis-sesiones', showSessions);

export const sessionRoutes: Route[] = [
  sessions,
  change(sessions, ':sessionId/terminar', 'terminada', 'endOwnSession'),
];

/** Where the person is signed in. */
function showSessions(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  return listPage(visit, {
    title: say('Mis sesiones', 'My sessions'),
    list: () => viewer.ops.sessions.list(),
    rowsOf: ({ sessions }) => sessions,
    columns: [
      [say('Navegador', 'Browser'), 'agent', 'name'],
      [say('Dirección', 'Address'), 'address'],
      [say('Desde', 'Since'), 'createdAt', 'when'],
      [say('Termina', 'Ends'), ({ endsAt }) => when(endsAt)],
      [
        say('Acción', 'Action'),
        ({ sessionId }) =>
          sessionId === viewer.sessionId
            ? say('esta sesión', 'this session')
            : buttonForm(viewer, {
                action: `/mis-sesiones/${sessionId}/terminar`,
                label: say('Terminar', 'End'),
              }),
      ],
    ],
  });
}
