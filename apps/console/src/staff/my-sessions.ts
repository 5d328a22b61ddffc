import { buttonForm } from '../frame/form';
import { textOf, when } from '../frame/formats';
import { listPage } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { idOf, type Page, type Redirect, type Visit } from '../frame/visit';

export const sessionRoutes: Route[] = [
  show('/mis-sesiones', showSessions),
  act('/mis-sesiones/:sessionId/terminar', endSession, showSessions),
];

/** Where the person is signed in. */
function showSessions(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  return listPage(visit, {
    title: say('Mis sesiones', 'My sessions'),
    list: () => viewer.ops.sessions.list(),
    rowsOf: ({ sessions }) => sessions,
    columns: [
      [say('Navegador', 'Browser'), ({ agent }) => textOf(agent), 'name'],
      [say('Dirección', 'Address'), ({ address }) => textOf(address)],
      [say('Desde', 'Since'), ({ createdAt }) => when(createdAt), 'when'],
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

async function endSession(visit: Visit): Promise<Redirect> {
  await visit.viewer.ops.sessions.end(idOf(visit, 'sessionId'));
  return { redirect: '/mis-sesiones', done: 'terminada' };
}
