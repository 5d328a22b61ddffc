import type { Request } from 'express';
import type { Html, HtmlValue } from '@fiado/chassis/html';
import { includedOpsScopes, type OpsScope } from '@fiado/contracts/caller';
import { MAX_DEVICE_TEXT } from '@fiado/contracts/staff-sign-in';
import { ApiRefusal, type AdminApi } from '../api';
import type { TypedForm } from './cookies';
import { say } from './words';
import { startOfDateOrMoment } from '@fiado/contracts/request-dates';
import { lenderTimeZone } from './formats';

/** A request of a signed-in person. */
export interface Visit {
  req: Request;
  viewer: Viewer;
  /** Why the API refused the form that was sent: the page shows the form again. */
  refusal?: ApiRefusal;
  /** What was typed in a form of this page, before the person signed in again. */
  typed?: TypedForm | undefined;
}

/** The signed-in person whose request this is. */
export interface Viewer extends AdminApi {
  sessionToken: string;
  sessionId: string;
  staffId: string;
  name: string;
  role: OpsScope;
  csrf: string;
}

/** A page of the console. */
export interface Page {
  status?: number;
  title: string;
  /** The list that a record belongs to. */
  path?: [href: string, name: string];
  /** The state of a record. */
  badge?: HtmlValue;
  /** Under the title: what the page is about. */
  lead?: HtmlValue;
  /** What can be done, in two buttons at most. */
  actions?: HtmlValue;
  content: Html;
  /** When the browser reads the page again, or opens another address. */
  refresh?: { seconds: number; url?: string };
  /**
   * Why a form was refused: above the content, and it gets the focus. The page of a form has one only
   * where it knows better than the sentence of the code.
   */
  problem?: Html | undefined;
}

/** Where the browser goes next, after a form. */
export interface Redirect {
  redirect: string;
  /** What the next page says was done. */
  done?: Done;
}

/** Whether the person's role includes that one: a page shows no button that the API would refuse. */
export function mayDo({ role }: Pick<Viewer, 'role'>, needed: OpsScope): boolean {
  return includedOpsScopes(role).includes(needed);
}

/** An id of the path. @throws ApiRefusal where it is none */
export function idOf({ req }: Visit, name: string): string {
  const id = String(req.params[name]);
  if (!isPart(id)) throw new ApiRefusal(404, 'ROUTE_NOT_FOUND', `${name} is no id`);
  return id;
}

/** Whether a text is one part of a path of the API: an empty one, or dots, lead to another operation. */
export function isPart(text: string): boolean {
  return !/^\.{0,2}$/.test(text);
}

/** A parameter of the address; empty when it is missing or repeated. */
export function queryOf({ req }: Pick<Visit, 'req'>, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** A field of the form; empty when it is missing or repeated. */
export function fieldOf({ req }: Pick<Visit, 'req'>, name: string): string {
  const value = (Object(req.body) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** What a person's list of sessions shows of this browser. */
export function deviceOf(req: Request): { address: string; agent: string } {
  return {
    // As trusted proxies report it.
    address: (req.ip ?? '').slice(0, MAX_DEVICE_TEXT),
    agent: (req.headers['user-agent'] ?? '').slice(0, MAX_DEVICE_TEXT),
  };
}

/** The first second of a day that was typed, as a moment of the API; undefined without one. */
export function startOfDayIn(visit: Visit, name: string): string | undefined {
  return momentIn(visit, name, '00:00:00');
}

/** The last second of a day that was typed, as a moment of the API; undefined without one. */
export function endOfDayIn(visit: Visit, name: string): string | undefined {
  return momentIn(visit, name, '23:59:59');
}

/** A text that is no day goes to the API as it is, which refuses it. */
function momentIn(visit: Visit, name: string, clock: string): string | undefined {
  const day = fieldOf(visit, name);
  if (day === '') return undefined;
  const text = `${day}T${clock}`;
  return startOfDateOrMoment(text, lenderTimeZone())?.toISOString() ?? text;
}

const SENTENCES = {
  guardado: ['Listo, se guardó.', 'Done, it is saved.'],
  asignado: [
    'Listo. El depósito paga los adeudos de la tienda en unos segundos.',
    'Done. The deposit pays the debts of the store within seconds.',
  ],
  aprobada: ['Tienda aprobada.', 'Store approved.'],
  rechazada: ['Tienda rechazada.', 'Store rejected.'],
  decidido: ['Listo, se guardó tu decisión.', 'Done, your decision is saved.'],
  reenviado: [
    'Enviado otra vez. Llega en unos segundos.',
    'Sent again. It arrives within seconds.',
  ],
  repetido: ['Se intenta otra vez.', 'It is tried again.'],
  terminada: ['Sesión terminada.', 'Session ended.'],
  revocada: ['Llave revocada.', 'Key revoked.'],
  exportando: [
    'Listo. El archivo se prepara; esta página lo muestra cuando esté.',
    'Done. The file is being made; this page shows it when it is ready.',
  ],
  enlaces: ['Los enlaces ya no sirven.', 'The links no longer work.'],
  faltan: [
    'Se cerró una parte de las liquidaciones: ciérralas otra vez con el mismo día.',
    'Some of the statements are closed: close them again with the same day.',
  ],
  cerradas: ['Listo, se cerraron las liquidaciones.', 'Done, the statements are closed.'],
  liberado: ['Teléfono liberado.', 'Phone freed.'],
  pausada: [
    'Listo, la tienda está en pausa: no puede pedir ni recibe claves.',
    'Done, the store is paused: it cannot order and gets no codes.',
  ],
} as const;

/** Something that a form has done. */
export type Done = keyof typeof SENTENCES;

/** The address of the page that says so. */
export function withDone(href: string, done: Done | undefined): string {
  if (done === undefined) return href;
  return `${href}${href.includes('?') ? '&' : '?'}aviso=${done}`;
}

/** What was done, as a sentence; undefined for any other text, which anybody may write in an address. */
export function doneSentence(name: unknown): string | undefined {
  const sentences: Record<string, readonly [string, string]> = SENTENCES;
  if (typeof name !== 'string' || !Object.hasOwn(sentences, name)) return undefined;
  const [es, en] = sentences[name] ?? ['', ''];
  return say(es, en);
}
