import { idOf, type Visit } from '../http/visit';
import { textOf, timeOf } from './formats';
import { buttonForm } from './form';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';

/** Where the person is signed in. */
export function showSessions(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  return listPage(visit, {
    title: say('Mis sesiones', 'My sessions'),
    list: () => viewer.ops.sessions.list(),
    rowsOf: ({ sessions }) => sessions,
    columns: [
      [say('Navegador', 'Browser'), ({ agent }) => textOf(agent)],
      [say('Dirección', 'Address'), ({ address }) => textOf(address)],
      [say('Desde', 'Since'), ({ createdAt }) => timeOf(createdAt)],
      [say('Termina', 'Ends'), ({ endsAt }) => timeOf(endsAt)],
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

export async function endSession(visit: Visit): Promise<Redirect> {
  await visit.viewer.ops.sessions.end(idOf(visit, 'sessionId'));
  return { redirect: '/mis-sesiones' };
}
