import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { html } from '@fiado/chassis/html';
import { staffTokenCall } from '@fiado/contracts/staff-sign-in';
import type { RequestOptions } from '@fiado/client';
import type { Route as ApiRoute } from '@fiado/client/resources';
import { ROUTES } from '@fiado/ops-client/generated/resources';
import type { BodyOf, OperationId } from '@fiado/ops-client/operations';
import { ApiRefusal, methodOf, WaitsForApproval, type Api, type Ops } from '../api';
import { bodyIn } from './body';
import { clearSession, sessionTokenOf, setTyped, takeTyped, type TypedForm } from './cookies';
import {
  doneSentence,
  fieldOf,
  idOf,
  withDone,
  type Done,
  type Page,
  type Redirect,
  type Viewer,
  type Visit,
} from './visit';
import { renderPage } from './layout';
import { homeLink, refusalPage, refusalText, waitingPage } from './refusal';
import { say } from './words';

export interface ConsoleContext {
  api: Api;
  consoleUrl: string;
}

/** What answers one method of one path. */
export interface Route {
  method: 'get' | 'post';
  path: string;
  handlerOf: (context: ConsoleContext) => RequestHandler;
}

type Answer = Page | Redirect;

/** A page, and where it is. */
export interface PageRoute<Path extends string = string> extends Route {
  path: Path;
  page: (visit: Visit) => Promise<Page>;
}

/** A GET of a signed-in person. It changes nothing. */
export function show<Path extends string>(
  path: Path,
  page: (visit: Visit) => Promise<Page>,
): PageRoute<Path> {
  return { ...showOrLead(path, page), path, page };
}

/** The same, where the address may also lead to another page. */
export function showOrLead(path: string, page: (visit: Visit) => Promise<Answer>): Route {
  const handlerOf = (context: ConsoleContext): RequestHandler => {
    return async (req, res) => {
      const viewer = await viewerOf(context, req);
      if (viewer === undefined) return toSignIn(res);
      const typed = takeTyped(req, res, viewer);
      await answer(req, res, viewer, (visit) => page({ ...visit, typed }));
    };
  };
  return { method: 'get', path, handlerOf };
}

/**
 * A form of a signed-in person: from our own page, and with the token of its session.
 * @param formPage the page with the form, which is shown again when the API refuses it
 */
export function act(
  path: string,
  change: (visit: Visit, context: ConsoleContext) => Promise<Answer>,
  formPage?: (visit: Visit) => Promise<Page>,
): Route {
  const handlerOf = (context: ConsoleContext): RequestHandler => {
    return async (req, res) => {
      if (!isFromOurPage(req, context.consoleUrl)) return refuse(req, res);
      const sessionToken = sessionTokenOf(req);
      const { csrf } = Object(req.body) as { csrf?: unknown };
      if (sessionToken !== undefined && !isCsrfToken(sessionToken, csrf)) return refuse(req, res);
      const viewer = await viewerOf(context, req);
      if (viewer === undefined) return toSignIn(res, keepTyped(req, res));
      await answer(req, res, viewer, (visit) =>
        change(visit, context).catch((error: unknown) => {
          if (!(error instanceof ApiRefusal) || formPage === undefined) throw error;
          return formAgain({ ...visit, refusal: error }, error, formPage);
        }),
      );
    };
  };
  return { method: 'post', path, handlerOf };
}

/** Keeps what somebody typed whose session has ended. @returns the page of the form, which the sign-in leads back to */
function keepTyped(req: Request, res: Response): string | undefined {
  const page = pageOfForm(req);
  // A search may be a phone.
  if (page === undefined || req.path === '/buscar' || req.path === '/salir') return undefined;
  setTyped(res, typedIn(req));
  return page;
}

function typedIn(req: Request): TypedForm {
  const entries = Object.entries(Object(req.body) as Record<string, unknown>);
  const fields = entries.filter(([name, value]) => name !== 'csrf' && typeof value === 'string');
  return { action: req.path, fields: Object.fromEntries(fields) as Record<string, string> };
}

/** The path of the page that a form was sent from. */
function pageOfForm({ headers: { referer = '' } }: Request): string | undefined {
  return URL.canParse(referer) ? new URL(referer).pathname : undefined;
}

/** The ids in a path, by their names. */
export type IdsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & IdsIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

/** What one call of a form is made of. */
export interface Asked<Ids> {
  ops: Ops;
  visit: Visit;
  ids: Ids;
  /** What was typed, as the body of an operation. */
  body: <Id extends OperationId>(operation: Id) => BodyOf<Id>;
  /** With this the same form sent twice is one change, where it has a key. */
  once: RequestOptions;
}

/** An operation that a form may call. */
export type Called = Extract<OperationId, keyof typeof ROUTES>;

/** Calls an operation with the ids of its path and with what was typed, as its body. */
export async function callOperation(
  { ops, ids, body, once }: Asked<unknown>,
  id: Called,
): Promise<unknown> {
  const { path, body: takesBody }: ApiRoute = ROUTES[id];
  const given = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, one = '']) => (ids as Record<string, string>)[one],
  );
  if (given.includes(undefined)) throw new Error(`A form has not the ids of ${id}`);
  return methodOf(ops, id)(...given, ...(takesBody === true ? [body(id)] : []), once);
}

/**
 * A form of a page that is one call of the API: an operation, or a call of its own. The page is opened again, or shown again with the refusal. Who signed in
 * too long ago for a decision signs in first: that confirms the press, and what was typed is sent then.
 * @param below the path of the form, below that of its page
 * @param done what the page says then
 */
export function change<Path extends string, Below extends string>(
  page: PageRoute<Path>,
  below: Below,
  done: Done,
  call: Called | ((asked: Asked<IdsIn<`${Path}/${Below}`>>) => Promise<unknown>),
): Route {
  return formOf(page, below, async (asked, redirect) => {
    try {
      await (typeof call === 'string' ? callOperation(asked, call) : call(asked));
      return { redirect, done };
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.code !== 'SIGN_IN_REQUIRED') throw error;
      const { req, viewer } = asked.visit;
      if (req.res !== undefined) setTyped(req.res, { ...typedIn(req), pressedBy: viewer.staffId });
      return { redirect: `/entrar?a=${encodeURIComponent(redirect)}` };
    }
  });
}

/** A form of a page. @param answerTo gets what a call needs, and the address of the page */
export function formOf<Path extends string, Below extends string>(
  { path: back, page }: PageRoute<Path>,
  below: Below,
  answerTo: (asked: Asked<IdsIn<`${Path}/${Below}`>>, here: string) => Promise<Answer>,
): Route {
  const path = below === '' ? back : `${back}/${below}`;
  const send = async (visit: Visit): Promise<Answer> => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const ids = Object.fromEntries(names.map((name) => [name, idOf(visit, name)]));
    const here = back.replaceAll(/:(\w+)/g, (_, name: string) => {
      return encodeURIComponent(ids[name] ?? '');
    });
    const key = fieldOf(visit, 'key');
    const asked = {
      ops: visit.viewer.ops,
      visit,
      ids: ids as IdsIn<`${Path}/${Below}`>,
      body: <Id extends OperationId>(operation: Id) => bodyIn(visit, operation),
      once: key === '' ? {} : { idempotencyKey: key },
    };
    return answerTo(asked, here);
  };
  return act(path, send, page);
}

/** The person of the session's cookie, asked anew for each request; undefined when it has ended. */
export async function viewerOf({ api }: ConsoleContext, req: Request): Promise<Viewer | undefined> {
  const sessionToken = sessionTokenOf(req);
  if (sessionToken === undefined) return undefined;
  try {
    const token = await api.signIn(staffTokenCall, { sessionToken });
    return {
      sessionToken,
      sessionId: token.sessionId,
      staffId: token.staffId,
      name: token.name,
      role: token.role,
      csrf: csrfTokenOf(sessionToken),
      ...api.as(token.accessToken),
    };
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401) return undefined;
    throw error;
  }
}

/** Answers with a page that somebody who is not signed in may see. */
export function sendPage(req: Request, res: Response, page: Page, viewer?: Viewer): void {
  res
    .status(page.status ?? 200)
    .vary('Accept-Language')
    .type('html')
    .send(
      renderPage(page, {
        viewer,
        path: req.path,
        isSandbox: req.app.get('fiado mode') === 'sandbox',
        isHeld: req.app.get('fiado outgoing') === 'held',
        done: doneSentence(req.query['aviso']),
      }),
    );
}

async function answer(
  req: Request,
  res: Response,
  viewer: Viewer,
  page: (visit: Visit) => Promise<Answer>,
): Promise<void> {
  try {
    const answered = await page({ req, viewer });
    if ('redirect' in answered) res.redirect(303, withDone(answered.redirect, answered.done));
    else sendPage(req, res, answered, viewer);
  } catch (error) {
    if (error instanceof WaitsForApproval) {
      const back = pageOfForm(req) ?? '/';
      return sendPage(req, res, waitingPage(error.changeRequestId, back), viewer);
    }
    if (!(error instanceof ApiRefusal)) throw error;
    sendPage(req, res, refusalPage(error), viewer);
  }
}

/** The form with what was typed, and why it was refused. */
async function formAgain(
  visit: Visit,
  refusal: ApiRefusal,
  formPage: (visit: Visit) => Promise<Page>,
): Promise<Page> {
  const page = await formPage(visit).catch((error: unknown) => {
    if (error instanceof ApiRefusal) throw refusal;
    throw error;
  });
  const problem = page.problem ?? refusalText(refusal);
  return { ...page, status: refusal.status, problem };
}

/** Leads who is not signed in to the sign-in. @param page where the sign-in leads then; without it to the first one */
export function toSignIn(res: Response, page?: string): void {
  clearSession(res);
  res.redirect(303, page === undefined ? '/entrar' : `/entrar?a=${encodeURIComponent(page)}`);
}

/** A form that is not of our own page, or of another session. */
export function refuse(req: Request, res: Response): void {
  sendPage(req, res, {
    status: 403,
    title: say('Formulario no válido', 'Form not valid'),
    content: html`<p>
        ${say('Abre la página otra vez. Nada cambió.', 'Open the page again. Nothing changed.')}
      </p>
      ${homeLink()}`,
  });
}

/** The token that each form of a session carries: only who has the session's cookie can know it. */
function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('fiado console form').digest('base64url');
}

/** Compares in constant time. */
function isCsrfToken(sessionToken: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/**
 * Whether a form or a call of the script comes from the console itself. Browsers send Sec-Fetch-Site,
 * older ones Origin; a request without either comes from no page of ours.
 */
export function isFromOurPage(req: Request, consoleUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return req.headers.origin === new URL(consoleUrl).origin;
}
