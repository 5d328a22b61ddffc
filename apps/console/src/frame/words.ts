import type { Request } from 'express';
import { EVENTS } from '@fiado/contracts/events';
import { MESSAGES } from '@fiado/contracts/message-catalogue';
import type { RevealReason } from '@fiado/contracts/privacy';
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

/** What a person of the lender may do, in a word. */
export function roleName(role: string, say: Say): string {
  return wordFor(role, {
    viewer: say('Consulta', 'Viewer'),
    operator: say('Operación', 'Operator'),
    approver: say('Aprobación', 'Approver'),
    admin: say('Administración', 'Admin'),
  });
}

/** A kind of SMS. */
export function templateName(template: unknown, say: Say): string {
  return nameIn(MESSAGES, template, say);
}

/** Why goods of an order were credited. */
export function creditReasonName(reason: unknown, say: Say): string {
  return wordFor(reason, {
    return: say('devolución', 'returned'),
    damaged: say('mercancía dañada', 'damaged'),
    missing: say('mercancía faltante', 'missing'),
    price: say('precio', 'price'),
    other: say('otro', 'other'),
  });
}

/** Why a phone was revealed. */
export function revealReasonNames(say: Say): Record<RevealReason, string> {
  return {
    payment: say('Un pago o un adeudo', 'A payment or a debt'),
    delivery: say('Una entrega', 'A delivery'),
    onboarding: say('Su registro', 'Its onboarding'),
    complaint: say('Una queja', 'A complaint'),
    privacy: say('Una solicitud sobre sus datos', 'A request about its data'),
  };
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

function nameIn(
  catalogue: Record<string, { called: { es: string; en: string } }>,
  value: unknown,
  say: Say,
): string {
  const called = catalogue[textOf(value)]?.called;
  return called === undefined ? textOf(value) : say(called.es, called.en);
}

/** The word for a value of the API; a value of a later release is its own word. */
export function wordFor(value: unknown, words: Record<string, string>): string {
  const text = textOf(value);
  return words[text] ?? text;
}

/** The same words with a capital at the front. */
export function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A kind of event that webhooks send. */
export function eventTypeName(type: string, say: Say): string {
  return nameIn(EVENTS, type, say);
}
