import type { Request, RequestHandler, Response } from 'express';
import { html, type Html } from '@fiado/chassis/html';
import {
  beginIdentityProviderSignInCall,
  identityProviderSignInCall,
} from '@fiado/contracts/staff-sign-in';
import {
  clearLogin,
  loginTokenOf,
  sessionTokenOf,
  setLogin,
  setSession,
  takeNext,
} from '../frame/cookies';
import { link } from '../frame/formats';
import { isFromOurPage, refuse, sendPage, type ConsoleContext, type Route } from '../frame/serve';
import { deviceOf } from '../frame/visit';
import { say } from '../frame/words';

export const identityProviderRoutes: Route[] = [
  { method: 'get', path: '/entrar/proveedor', handlerOf: goToProvider },
  { method: 'get', path: '/entrar/regreso', handlerOf: () => showReturn },
  { method: 'post', path: '/entrar/regreso', handlerOf: comeBack },
];

/** A page that goes on by itself: the policy for forms would stop a redirect to another origin. */
function goOn(url: string): Html {
  return html`<meta http-equiv="refresh" content="0;url=${url}" />
    <p>${link(url, say('Continuar', 'Continue'))}</p>`;
}

/** Begins a sign-in at the identity provider. */
function goToProvider({ api }: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const again = sessionTokenOf(req) !== undefined;
    const { url, loginToken } = await api.signIn(beginIdentityProviderSignInCall, { again });
    setLogin(res, loginToken);
    sendPage(req, res, { title: say('Un momento', 'One moment'), content: goOn(url) });
  };
}

/**
 * The strict cookie of a session is not sent on the way back from another site, so this page posts
 * the answer from here, by its script or its button.
 */
function showReturn(req: Request, res: Response): void {
  const search = new URL(req.originalUrl, 'http://return').search.slice(1);
  sendPage(req, res, {
    title: say('Casi listo', 'Almost there'),
    content: html`<form method="post" action="/entrar/regreso" data-submit>
      <input type="hidden" name="query" value="${search}" />
      <button class="main">${say('Continuar', 'Continue')}</button>
    </form>`,
  });
}

/** Ends it: accounts asks the identity provider who it was. */
function comeBack({ api, consoleUrl }: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const loginToken = loginTokenOf(req);
    if (!isFromOurPage(req, consoleUrl) || loginToken === undefined) return refuse(req, res);
    const { query } = Object(req.body) as { query?: unknown };
    const body = { loginToken, query, sessionToken: sessionTokenOf(req), ...deviceOf(req) };
    clearLogin(res);
    const { sessionToken } = await api.signIn(identityProviderSignInCall, body);
    setSession(res, sessionToken);
    res.redirect(303, takeNext(req, res));
  };
}
