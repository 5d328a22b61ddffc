import type { Request, Response } from 'express';

/** `__Host-`: set by this host alone, for all of it, and over TLS (or on localhost). */
const SESSION = '__Host-fiado';
/** Of a sign-in at the identity provider. Lax, because it is needed on the way back from there. */
const LOGIN = '__Host-fiado-login';
/** The identity provider's answer is awaited this long. */
const LOGIN_LIFE_MS = 10 * 60_000;
/** Tokens as accounts makes them: anything else is not worth a call. */
const TOKEN = /^fiado_(?:session|login)_[\w-]{43}$/;

const HARDENED = { secure: true, httpOnly: true, path: '/' } as const;
const STRICT = { ...HARDENED, sameSite: 'strict' } as const;
const LAX = { ...HARDENED, sameSite: 'lax' } as const;

export const sessionTokenOf = (req: Request): string | undefined => cookieOf(req, SESSION);
export const loginTokenOf = (req: Request): string | undefined => cookieOf(req, LOGIN);

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

/** @returns undefined when the cookie is absent, repeated or no token */
function cookieOf(req: Request, name: string): string | undefined {
  const values = (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = values;
  return values.length === 1 && TOKEN.test(value) ? value : undefined;
}
