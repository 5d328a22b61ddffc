import type { Request } from 'express';
import { textOf } from './formats';

/** A text in the reader's language. */
export type Say = (es: string, en: string) => string;

export type Language = 'es-MX' | 'en';

/** Spanish, unless the browser prefers English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const first = /\b(es|en)\b/i.exec(acceptLanguage ?? '')?.[1];
  return first?.toLowerCase() === 'en' ? 'en' : 'es-MX';
}

export function sayIn(language: Language): Say {
  return (es, en) => (language === 'en' ? en : es);
}

/** Texts in the language of that request's browser. */
export function sayTo(req: Request): Say {
  return sayIn(languageOf(req.headers['accept-language']));
}

/** The state of an order; one of a later release keeps its own name. */
export function orderStatusName(status: unknown, say: Say): string {
  return wordFor(status, {
    'pending-verification': say('espera su código', 'awaits its code'),
    'on-hold': say('confirmado', 'confirmed'),
    delivery: say('entregado', 'delivered'),
    'in-payment-default': say('en mora', 'in default'),
    paid: say('pagado', 'paid'),
    cancelled: say('cancelado', 'cancelled'),
    expired: say('expirado', 'expired'),
  });
}

/** The state of a debt. */
export function debtStatusName(status: unknown, say: Say): string {
  return wordFor(status, {
    pending: say('por vencer', 'not due yet'),
    overdue: say('atrasado', 'overdue'),
    paid: say('pagado', 'paid'),
  });
}

/** The state of a deposit. */
export function depositStatusName(status: unknown, say: Say): string {
  return wordFor(status, {
    received: say('recibido', 'received'),
    applied: say('aplicado', 'applied'),
    unmatched: say('sin asignar', 'unmatched'),
    reversed: say('revertido', 'reversed'),
  });
}

/** The state of an SMS. */
export function messageStatusName(status: unknown, say: Say): string {
  return wordFor(status, {
    pending: say('por enviar', 'to be sent'),
    sending: say('enviándose', 'being sent'),
    sent: say('enviado', 'sent'),
    delivered: say('entregado', 'delivered'),
    failed: say('falló', 'failed'),
    expired: say('expirado', 'expired'),
    unknown: say('sin confirmar', 'unconfirmed'),
  });
}

/** The state of a webhook endpoint. */
export function endpointStateName(state: unknown, say: Say): string {
  return wordFor(state, {
    enabled: say('activo', 'enabled'),
    paused: say('en pausa por su dueño', 'paused by its owner'),
    disabled: say('desactivado', 'disabled'),
  });
}

/** A step of an onboarding. */
export function stepName(step: string, say: Say): string {
  return wordFor(step, {
    DOCUMENT_IMAGE_FRONTAL: say('frente de la identificación', 'front of the identity document'),
    DOCUMENT_IMAGE_BACK: say('reverso de la identificación', 'back of the identity document'),
    SELFIE_IMAGE: say('foto de la persona', 'picture of the person'),
    STORE_IMAGE: say('foto de la tienda', 'picture of the store'),
    CORNER_STORE_INFORMATION: say('datos de la tienda', 'facts about the store'),
    CORNER_STORE_NAME_UPDATE: say('nombre de la tienda', 'name of the store'),
    COMPLETED: say('registro terminado', 'onboarding completed'),
  });
}

/** The word for a value of the API; a value of a later release is its own word. */
export function wordFor(value: unknown, words: Record<string, string>): string {
  const text = textOf(value);
  return words[text] ?? text;
}
