import type { Request, RequestHandler, Response } from 'express';
import { html, type Html } from '@fiado/chassis/html';
import {
  beginPasskeyEnrolmentCall,
  beginPasskeySignInCall,
  enrolPasskeyCall,
  invitationSignInCall,
  openInvitationCall,
  passkeySignInCall,
  signInWaysCall,
  signOutCall,
  type NewStaffSession,
  type SignInWays,
} from '@fiado/contracts/staff-sign-in';
import { ApiRefusal, type Api } from '../api';
import { clearSession, sessionTokenOf, setNext, setSession, takeNext } from '../frame/cookies';
import { link } from '../frame/formats';
import {
  act,
  isFromOurPage,
  refuse,
  sendPage,
  type ConsoleContext,
  type Route,
} from '../frame/serve';
import { deviceOf, queryOf, type Redirect, type Visit } from '../frame/visit';
import { roleName, say } from '../frame/words';

/** An invitation is the last part of its link. */
const INVITATION = /^fiado_invite_[\w-]{43}$/;

/** Pages and calls that work without a session, and the form that ends one. */
export const signInRoutes: Route[] = [
  { method: 'get', path: '/entrar', handlerOf: showSignIn },
  { method: 'get', path: '/invitacion/:token', handlerOf: showInvitation },
  { method: 'post', path: '/invitacion/:token/entrar', handlerOf: enterByInvitation },
  begin('/passkey/nueva', (req, api) =>
    api.signIn(beginPasskeyEnrolmentCall, { invitationToken: invitationOf(req) }),
  ),
  begin('/passkey/pedir', (_req, api) => api.signIn(beginPasskeySignInCall, {})),
  finish('/passkey/registrar', (req, api, passkey) =>
    api.signIn(enrolPasskeyCall, { ...passkey, invitationToken: invitationOf(req) }),
  ),
  finish('/passkey/entrar', (req, api, passkey) =>
    api.signIn(passkeySignInCall, { ...passkey, sessionToken: sessionTokenOf(req) }),
  ),
  act('/salir', signOut),
];

/** How long the ways to sign in are remembered: strangers open the page too. */
const WAYS_LIFE_MS = 60_000;

function showSignIn({ api }: ConsoleContext): RequestHandler {
  let ways: { until: number; read: Promise<SignInWays> } | undefined;
  const readWays = (): Promise<SignInWays> => {
    if (ways === undefined || ways.until < performance.now()) {
      const read = api.signIn(signInWaysCall, {});
      ways = { until: performance.now() + WAYS_LIFE_MS, read };
      read.catch(() => (ways = undefined));
    }
    return ways.read;
  };
  return async (req, res) => {
    const { identityProvider } = await readWays();
    const next = queryOf({ req }, 'a');
    const again = next !== '' && sessionTokenOf(req) !== undefined;
    setNext(res, next);
    sendPage(req, res, {
      title: again
        ? say('Confirma que eres tú', 'Confirm that it is you')
        : say('Entrar', 'Sign in'),
      content: html`${
          again &&
          html`<p class="notice">
            ${say('Para decidir tienes que haber entrado hace menos de cinco minutos. Después vuelves a la misma página.', 'To decide you must have signed in less than five minutes ago. You then come back to the same page.')}
          </p>`
        }
        ${passkeyButton(say('Entrar con mi llave de acceso', 'Sign in with my passkey'), { begin: '/passkey/pedir', end: '/passkey/entrar' })}
        ${
          identityProvider &&
          html`<p>
            <a class="button" href="/entrar/proveedor"
              >${say('Entrar con la cuenta de la empresa', 'Sign in with the company account')}</a
            >
          </p>`
        }
        <p class="quiet">
          ${say('¿Primera vez, o perdiste tu llave? Pide una invitación a un administrador.', 'First time, or lost your passkey? Ask an admin for an invitation.')}
        </p>`,
    });
  };
}

function showInvitation({ api }: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const token = String(req.params['token']);
    const invited = INVITATION.test(token)
      ? await api.signIn(openInvitationCall, { invitationToken: token })
      : { valid: false as const };
    if (!invited.valid) {
      sendPage(req, res, {
        status: 404,
        title: say('La invitación ya no sirve', 'The invitation is no longer valid'),
        content: html`<p>
            ${say('Se usa una sola vez y dura 24 horas. Pide otra a un administrador.', 'It works once and for 24 hours. Ask an admin for another one.')}
          </p>
          <p>${link('/entrar', say('Entrar', 'Sign in'))}</p>`,
      });
      return;
    }
    sendPage(req, res, {
      title: say(`Hola, ${invited.name}`, `Hello, ${invited.name}`),
      content: html`<p>${invited.email} · ${roleName(invited.role)}</p>
        <p>
          ${say('Crea una llave de acceso con tu huella, tu cara o tu PIN. Con ella entrarás desde ahora.', 'Create a passkey with your finger, face or PIN. You will sign in with it from now on.')}
        </p>
        ${passkeyButton(say('Crear mi llave de acceso', 'Create my passkey'), { begin: '/passkey/nueva', end: '/passkey/registrar', invitation: token })}
        ${
          invited.passkeyOptional &&
          html`<form method="post" action="/invitacion/${token}/entrar">
            <button class="second">
              ${say('Entrar sin llave (solo en pruebas)', 'Enter without a passkey (sandbox only)')}
            </button>
          </form>`
        }`,
    });
  };
}

/** A button for the script: no form can ask a browser for a passkey. */
function passkeyButton(
  label: string,
  { begin, end, invitation = '' }: { begin: string; end: string; invitation?: string },
): Html {
  return html`<p>
      <button
        type="button"
        class="main"
        data-passkey-begin="${begin}"
        data-passkey-end="${end}"
        data-invitation="${invitation}"
      >
        ${label}
      </button>
    </p>
    <p class="problem" role="alert" data-passkey-problem hidden>
      ${say('No se pudo. Intenta otra vez.', 'That did not work. Try again.')}
    </p>
    <noscript
      ><p>
        ${say('La llave de acceso necesita JavaScript.', 'A passkey needs JavaScript.')}
      </p></noscript
    >`;
}

function invitationOf(req: Request): string {
  const { invitation } = Object(req.body) as { invitation?: unknown };
  return typeof invitation === 'string' ? invitation : '';
}

/** A call of the script that begins something. */
function begin(path: string, work: (req: Request, api: Api) => Promise<object>): Route {
  return answerScript(path, (req, _res, { api }) => work(req, api));
}

/** A call of the script that ends in a session. */
function finish(
  path: string,
  signIn: (
    req: Request,
    api: Api,
    passkey: { response: unknown } & ReturnType<typeof deviceOf>,
  ) => Promise<NewStaffSession>,
): Route {
  return answerScript(path, async (req, res, { api }) => {
    const { response } = Object(req.body) as { response?: unknown };
    const { sessionToken } = await signIn(req, api, { response, ...deviceOf(req) });
    setSession(res, sessionToken);
    return { next: takeNext(req, res) };
  });
}

/** Answers the script, which comes from a page of ours, with the outcome or a code. */
function answerScript(
  path: string,
  work: (req: Request, res: Response, context: ConsoleContext) => Promise<object>,
): Route {
  const handlerOf = (context: ConsoleContext): RequestHandler => {
    return async (req, res) => {
      if (!isFromOurPage(req, context.consoleUrl)) return refuse(req, res);
      try {
        res.json(await work(req, res, context));
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error;
        res.status(error.status).json({ errorCode: error.code });
      }
    };
  };
  return { method: 'post', path, handlerOf };
}

function enterByInvitation({ api, consoleUrl }: ConsoleContext): RequestHandler {
  return async (req, res) => {
    if (!isFromOurPage(req, consoleUrl)) return refuse(req, res);
    const invitationToken = String(req.params['token']);
    const body = { invitationToken, ...deviceOf(req) };
    try {
      const { sessionToken } = await api.signIn(invitationSignInCall, body);
      setSession(res, sessionToken);
      res.redirect(303, '/');
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      res.redirect(303, `/invitacion/${encodeURIComponent(invitationToken)}`);
    }
  };
}

async function signOut({ req, viewer }: Visit, { api }: ConsoleContext): Promise<Redirect> {
  await api.signIn(signOutCall, { sessionToken: viewer.sessionToken });
  if (req.res !== undefined) clearSession(req.res);
  return { redirect: '/entrar' };
}
