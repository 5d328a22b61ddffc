import { codeIn as codeInText } from '@fiado/contracts/verification-code';

/** Where the pages of corner stores are. */
export const PLACES = ['/pedido', '/cuenta', '/mi', '/kyc'];
/** A form with a code in it, or with a button only. */
const FORM = 2 * 1024;
/** The data of a store: 700 characters, of which each may take twelve bytes in a form. */
const STORE_FORM = 16 * 1024;
/**
 * A form with a picture, longer than that of any phone: a browser shows why a picture is too large
 * only when it has sent all of it.
 */
const PHOTO_FORM = 32 * 1024 * 1024;
export const PHOTO_PATH = '/kyc/:token/:step';

/** The longest form of each path, in bytes. The first path that fits counts. */
export const MAX_FORM_LENGTHS = {
  '/pedido/:transactionId': FORM,
  '/pedido/:transactionId/aceptar': FORM,
  '/pedido/:transactionId/enviar': FORM,
  '/pedido/:transactionId/reenviar': FORM,
  '/mi': FORM,
  '/mi/factura': STORE_FORM,
  '/mi/factura/quitar': FORM,
  '/mi/empezar': FORM,
  '/mi/reenviar': FORM,
  '/mi/salir': FORM,
  '/mi/whatsapp': FORM,
  '/mi/pedido/:transactionId/no': FORM,
  '/kyc/:token/aviso': FORM,
  '/kyc/:token/datos': STORE_FORM,
  '/kyc/:token/terminar': FORM,
  [PHOTO_PATH]: PHOTO_FORM,
} as const;

export function isPageUrl(url: string): boolean {
  const [path = ''] = url.split('?');
  return PLACES.some((place) => path === place || path.startsWith(`${place}/`));
}

/** Longer than codes and passes. */
const MAX_TEXT_LENGTH = 100;

/** A text of a form; empty when it is missing, repeated or longer than `maxLength`. */
export function textIn(form: unknown, name: string, maxLength = MAX_TEXT_LENGTH): string {
  const value = (Object(form) as Record<string, unknown>)[name];
  return typeof value === 'string' && value.length <= maxLength ? value : '';
}

/** The six digits of the form, however they were grouped; undefined when they are not six. */
export function codeIn(form: unknown): string | undefined {
  return codeInText(textIn(form, 'code'));
}
