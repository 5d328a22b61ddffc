import type { Request } from 'express';

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
