import type { Request, Response } from 'express';
import { cookieOf } from '@fiado/chassis/http/request';

/** `__Host-`: set by this host alone, for all of it, and over TLS (or on localhost). */
const SESSION = '__Host-fiado';
/** Of a sign-in at the identity provider. Lax, because it is needed on the way back from there. */
const LOGIN = '__Host-fiado-login';
/** Page that a person who has to sign in again comes back to. */
const NEXT = '__Host-fiado-next';
/** What was typed in a form that a sign-in came between. */
const TYPED = '__Host-fiado-typed';
/** As it is kept, in characters: browsers drop longer cookies. */
const MAX_TYPED = 3_500;
const BASE64URL = /^[\w-]{1,4000}$/;
/** A page of the console and nothing else: no other host, no query. */
const PAGE = /^(?:\/[\w-]{1,100}){1,4}$/;
/** The identity provider's answer is awaited this long. */
const LOGIN_LIFE_MS = 10 * 60_000;
/** Tokens as accounts makes them: anything else is not worth a call. */
const TOKEN = /^fiado_(?:session|login)_[\w-]{43}$/;

const HARDENED = { secure: true, httpOnly: true, path: '/' } as const;
const STRICT = { ...HARDENED, sameSite: 'strict' } as const;
const LAX = { ...HARDENED, sameSite: 'lax' } as const;

export const sessionTokenOf = (req: Request): string | undefined => cookieOf(req, SESSION, TOKEN);
export const loginTokenOf = (req: Request): string | undefined => cookieOf(req, LOGIN, TOKEN);

/** Ends with the browser, and with the session at the latest. */
export function setSession(res: Response, sessionToken: string): void {
  res.cookie(SESSION, sessionToken, STRICT);
}

export function clearSession(res: Response): void {
  res.clearCookie(SESSION, STRICT);
}

export function setLogin(res: Response, loginToken: string): void {
  res.cookie(LOGIN, loginToken, { ...LAX, maxAge: LOGIN_LIFE_MS });
}

export function clearLogin(res: Response): void {
  res.clearCookie(LOGIN, LAX);
}

/** Notes where to go after the sign-in that begins; anything but a page of the console is nowhere. */
export function setNext(res: Response, page: string): void {
  if (PAGE.test(page)) res.cookie(NEXT, page, { ...STRICT, maxAge: LOGIN_LIFE_MS });
  else res.clearCookie(NEXT, STRICT);
}

/** A form that was sent when the person had to sign in first. */
export interface TypedForm {
  /** The path that it was sent to. */
  action: string;
  fields: Record<string, string>;
  /**
   * The person whose decision a new sign-in confirms: it is sent again by itself once that person is back. Undefined of a
   * form whose session had ended.
   */
  pressedBy?: string | undefined;
}

/** Keeps a form for the time of a sign-in; one that is too long is typed again. */
export function setTyped(res: Response, form: TypedForm): void {
  const text = Buffer.from(JSON.stringify(form)).toString('base64url');
  if (text.length <= MAX_TYPED) res.cookie(TYPED, text, { ...STRICT, maxAge: LOGIN_LIFE_MS });
}

/** The form that a sign-in came between, once. What somebody else pressed in this browser is dropped. */
export function takeTyped(
  req: Request,
  res: Response,
  { staffId }: { staffId: string },
): TypedForm | undefined {
  const text = cookieOf(req, TYPED, BASE64URL);
  if (text === undefined) return undefined;
  res.clearCookie(TYPED, STRICT);
  try {
    const kept = Object(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))) as object;
    const { action, fields, pressedBy } = kept as Record<keyof TypedForm, unknown>;
    if (pressedBy !== undefined && pressedBy !== staffId) return undefined;
    const typed = Object.entries(Object(fields) as Record<string, unknown>);
    return {
      action: typeof action === 'string' ? action : '',
      fields: Object.fromEntries(
        typed.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      ),
      pressedBy: pressedBy === staffId ? staffId : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Where to go after a sign-in, once. */
export function takeNext(req: Request, res: Response): string {
  const next = cookieOf(req, NEXT, PAGE);
  if (next !== undefined) res.clearCookie(NEXT, STRICT);
  return next ?? '/';
}
