import { buttonForm } from '../frame/form';
import { list, type Listing } from '../frame/lists';
import { change, type Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say } from '../frame/words';

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

/** Browsers name others that they are compatible with, so the order counts. */
const BROWSERS: Array<[name: string, pattern: RegExp]> = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: Array<[name: string, pattern: RegExp]> = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** A browser in words, such as Chrome en Windows. */
export function browserName(agent: string | null): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (names) => names.find(([, pattern]) => pattern.test(agent ?? ''))?.[0],
  );
  const name = browser ?? say('Un navegador', 'A browser');
  return system === undefined ? name : say(`${name} en ${system}`, `${name} on ${system}`);
}
