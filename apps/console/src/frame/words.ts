import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';
import type { PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html, type Html } from '@fiado/chassis/html';
import { EVENTS } from '@fiado/contracts/events';
import { MESSAGES } from '@fiado/contracts/message-catalogue';
import type { RevealReason } from '@fiado/contracts/privacy';
import { textOf } from './formats';

/** The language of the request that is answered. */
const language = new AsyncLocalStorage<'es' | 'en'>();

/** Answers a request in the language of its browser: Spanish, unless it prefers English. */
export const answerInLanguage: RequestHandler = (req, _res, next) => {
  const first = /\b(es|en)\b/i.exec(req.headers['accept-language'] ?? '')?.[1];
  inLanguage(first?.toLowerCase() === 'en' ? 'en' : 'es', next);
};

/** Runs something whose texts are in that language. */
export function inLanguage<Result>(one: 'es' | 'en', run: () => Result): Result {
  return language.run(one, run);
}

/** A text in the reader's language. */
export function say(es: string, en: string): string {
  return language.getStore() === 'en' ? en : es;
}

/** Words for codes in both languages. */
export type Words<Code extends string> = Record<Code, readonly [es: string, en: string]>;

/** Names the codes of the API; a code of a later release is its own name. */
export function naming(words: Words<string>): (code: unknown) => string {
  return (code) => {
    const text = textOf(code);
    const [es, en] = words[text] ?? [text, text];
    return say(es, en);
  };
}

/** What a person of the lender may do, in a word. */
export const roleName = naming({
  viewer: ['Consulta', 'Viewer'],
  operator: ['Operación', 'Operator'],
  approver: ['Aprobación', 'Approver'],
  admin: ['Administración', 'Admin'],
});

/** A kind of SMS. */
export function templateName(template: unknown): string {
  return nameIn(MESSAGES, template);
}

/** Why goods of an order were credited. */
export const creditReasonName = naming({
  return: ['devolución', 'returned'],
  damaged: ['mercancía dañada', 'damaged'],
  missing: ['mercancía faltante', 'missing'],
  price: ['precio', 'price'],
  other: ['otro', 'other'],
});

/** Why a phone was revealed. */
export const revealReasonName = naming({
  payment: ['Un pago o un adeudo', 'A payment or a debt'],
  delivery: ['Una entrega', 'A delivery'],
  onboarding: ['Su registro', 'Its onboarding'],
  complaint: ['Una queja', 'A complaint'],
  privacy: ['Una solicitud sobre sus datos', 'A request about its data'],
} satisfies Words<RevealReason>);

/** A step of an onboarding. */
export const stepName = naming({
  DOCUMENT_IMAGE_FRONTAL: ['frente de la identificación', 'front of the identity document'],
  DOCUMENT_IMAGE_BACK: ['reverso de la identificación', 'back of the identity document'],
  SELFIE_IMAGE: ['foto de la persona', 'picture of the person'],
  STORE_IMAGE: ['foto de la tienda', 'picture of the store'],
  CORNER_STORE_INFORMATION: ['datos de la tienda', 'facts about the store'],
  CORNER_STORE_NAME_UPDATE: ['nombre de la tienda', 'name of the store'],
  COMPLETED: ['registro terminado', 'onboarding completed'],
});

function nameIn(
  catalogue: Record<string, { called: { es: string; en: string } }>,
  value: unknown,
): string {
  const called = catalogue[textOf(value)]?.called;
  return called === undefined ? textOf(value) : say(called.es, called.en);
}

/** The same words with a capital at the front. */
export function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A kind of event that webhooks send. */
export function eventTypeName(type: string): string {
  return nameIn(EVENTS, type);
}

/** What a state is for the reader: done, open, to be done, wrong, or over. */
type Tone = 'good' | 'info' | 'warn' | 'bad' | 'neutral';

type State = readonly [tone: Tone, es: string, en: string];

const MESSAGE = {
  delivered: ['good', 'Entregado', 'Delivered'],
  pending: ['info', 'Por enviar', 'To be sent'],
  sending: ['info', 'Enviándose', 'Being sent'],
  unknown: ['warn', 'Sin confirmar', 'Unconfirmed'],
  failed: ['bad', 'Falló', 'Failed'],
  sent: ['neutral', 'Enviado', 'Sent'],
  expired: ['neutral', 'Caducado', 'Expired'],
} as const;

/** The states of what the API has, by what they are states of, in the order of the chips of its list. */
const STATES = {
  order: {
    'pending-verification': ['warn', 'Por confirmar', 'Awaits its code'],
    'on-hold': ['info', 'Confirmado', 'Confirmed'],
    delivery: ['info', 'Entregado', 'Delivered'],
    'in-payment-default': ['bad', 'Con atraso', 'Overdue'],
    paid: ['good', 'Pagado', 'Paid'],
    cancelled: ['neutral', 'Cancelado', 'Cancelled'],
    expired: ['neutral', 'Caducado', 'Expired'],
  },
  debt: {
    paid: ['good', 'Pagado', 'Paid'],
    pending: ['info', 'Por vencer', 'Not due yet'],
    overdue: ['bad', 'Con atraso', 'Overdue'],
    'written-off': ['neutral', 'Castigado', 'Written off'],
  },
  deposit: {
    unmatched: ['warn', 'Sin asignar', 'Unmatched'],
    received: ['info', 'Recibido', 'Received'],
    applied: ['good', 'Aplicado', 'Applied'],
    reversed: ['neutral', 'Revertido', 'Reversed'],
    conflicting: ['bad', 'En conflicto', 'Conflicting'],
    'reversal-requested': ['warn', 'Piden revertirlo', 'Reversal requested'],
  },
  store: {
    approved: ['good', 'Aprobada', 'Approved'],
    'pre-approved': ['info', 'Preaprobada', 'Pre-approved'],
    'in-manual-validation': ['warn', 'Por validar', 'To validate'],
    paused: ['bad', 'En pausa', 'Paused'],
    'phone-held': ['warn', 'Teléfono por confirmar', 'Phone to confirm'],
    'in-payment-default': ['bad', 'Con atraso', 'Overdue'],
    rejected: ['neutral', 'Rechazada', 'Rejected'],
    blocked: ['neutral', 'Bloqueada', 'Blocked'],
    erased: ['neutral', 'Suprimida', 'Erased'],
  },
  message: MESSAGE,
  export: {
    ready: ['good', 'Lista', 'Ready'],
    waiting: ['info', 'En espera', 'Waiting'],
    running: ['info', 'En proceso', 'Being made'],
    failed: ['bad', 'Falló', 'Failed'],
    expired: ['neutral', 'Borrada', 'Deleted'],
  },
  audit: {
    changes: ['neutral', 'Solo cambios', 'Changes only'],
  },
  change: {
    pending: ['warn', 'Por aprobar', 'Waiting'],
    approved: ['info', 'Aprobada', 'Approved'],
    executed: ['good', 'Aplicada', 'Done'],
    failed: ['bad', 'No aplicada', 'Not done'],
    rejected: ['neutral', 'Rechazada', 'Rejected'],
    expired: ['neutral', 'Caducada', 'Expired'],
  },
  privacy: {
    done: ['good', 'Terminada', 'Done'],
    executing: ['info', 'Por cumplir', 'To be done'],
    open: ['warn', 'Por responder', 'To be answered'],
    refused: ['neutral', 'Negada', 'Refused'],
  },
  endpoint: {
    enabled: ['good', 'Activo', 'Enabled'],
    failing: ['warn', 'Activo, con fallos', 'Enabled, failing'],
    disabled: ['bad', 'Desactivado', 'Disabled'],
    paused: ['neutral', 'En pausa', 'Paused by its owner'],
  },
  delivery: {
    ...MESSAGE,
    held: ['warn', 'En espera', 'Held'],
    aborted: ['neutral', 'Cancelado', 'Aborted'],
  },
  dispute: {
    open: ['warn', 'Por decidir', 'To decide'],
    kept: ['neutral', 'Se mantiene', 'Kept'],
    credited: ['good', 'Acreditada', 'Credited'],
  },
  invoice: {
    issued: ['good', 'Emitida', 'Issued'],
    pending: ['info', 'Por emitirse', 'To be issued'],
    failed: ['bad', 'No emitida', 'Not issued'],
  },
  statement: {
    paid: ['good', 'Pagada', 'Paid'],
    closed: ['warn', 'Por pagar', 'To be paid'],
  },
  payout: {
    paid: ['good', 'Pagado', 'Paid'],
    requested: ['warn', 'Por aprobar', 'Waits for approval'],
    cancelled: ['neutral', 'Cancelado', 'Cancelled'],
    returned: ['neutral', 'Devuelto por el banco', 'Returned by the bank'],
  },
} as const satisfies Record<string, Record<string, State>>;

/** What has states. */
export type StateKind = keyof typeof STATES;

export function isStateKind(kind: string): kind is StateKind {
  return Object.hasOwn(STATES, kind);
}

/** A state in a word; one of a later release keeps its own name. */
export function stateName(kind: StateKind, value: unknown): string {
  const [, es, en] = stateOf(kind, value);
  return say(es, en);
}

/** A state as a badge. */
export function stateBadge(kind: StateKind, value: unknown): Html {
  const [tone, es, en] = stateOf(kind, value);
  return html`<span class="badge ${tone}">${say(es, en)}</span>`;
}

/** A state in a word, where its record may be of several kinds. */
export function anyStateName(value: unknown): string {
  const kinds = ['order', 'message', 'deposit', 'store', 'debt', 'statement'] as const;
  const kind = kinds.find((one) => Object.hasOwn(STATES[one], textOf(value)));
  return kind === undefined ? textOf(value) : stateName(kind, value);
}

/** The states of a list, for its chips. */
export function statesOf<Of extends StateKind>(kind: Of): [StateOf<Of>, ...Array<StateOf<Of>>] {
  return Object.keys(STATES[kind]) as [StateOf<Of>, ...Array<StateOf<Of>>];
}

/** A state of what has that kind of states. */
export type StateOf<Of extends StateKind> = keyof (typeof STATES)[Of];

/** The column of a file with the states in Spanish. */
export function stateColumn(kind: StateKind, field = 'status'): PeopleColumn {
  const words = Object.entries(STATES[kind]).map(([state, [, es]]) => [state, es]);
  return { field, heading: 'Estado', words: Object.fromEntries(words) };
}

function stateOf(kind: StateKind, value: unknown): State {
  const states: Record<string, State> = STATES[kind];
  const text = textOf(value);
  return states[text] ?? ['neutral', text, text];
}
