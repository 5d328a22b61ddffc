import { buttonForm } from '../frame/form';
import { list, type Listing } from '../frame/lists';
import { change, type Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say } from '../frame/words';
import { browserName } from './browser-name';

const sessions = list('/mis-sesiones', sessionsOf);

export const sessionRoutes: Route[] = [
  sessions,
  change(sessions, ':sessionId/terminar', 'terminada', 'endOwnSession'),
];

/** Where the person is signed in. */
function sessionsOf({ viewer }: Visit): Listing<'listOwnSessions'> {
  return {
    of: 'listOwnSessions',
    title: say('Mis sesiones', 'My sessions'),
    columns: [
      [say('Navegador', 'Browser'), ({ agent }) => browserName(agent), 'name'],
      [say('Dirección', 'Address'), 'address'],
      [say('Desde', 'Since'), 'createdAt', 'when'],
      [say('Termina', 'Ends'), 'endsAt', 'time'],
      [
        say('Acción', 'Action'),
        ({ sessionId }) =>
          sessionId === viewer.sessionId
            ? say('esta sesión', 'this session')
            : buttonForm(viewer, `/mis-sesiones/${sessionId}/terminar`, say('Terminar', 'End')),
      ],
    ],
  };
}
