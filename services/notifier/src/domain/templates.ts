import type { MessageTemplate, MessageValues } from '@fiado/shared/contracts/jobs/send-message';
import { amountOf } from '@fiado/shared/money';
import { toGsm7 } from './gsm7';

/** Longest name in a text, so that the text stays one SMS. */
const MAX_NAME_LENGTH = 30;
/** From this many digits on, a name could pass for a code. */
const DIGITS_LIKE_A_CODE = 4;

const amountFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/**
 * The closed list of texts. In Spanish, and with words that GSM-7 can write (clave, not código):
 * one SMS instead of two. A code comes first and is the only six digits in a row, so that phones
 * offer the right ones.
 */
const texts: { [Template in MessageTemplate]: (values: MessageValues[Template]) => string } = {
  'verification-code': ({ code }) =>
    `${code} es tu clave de Fiado para verificar tu cuenta. No la compartas con nadie.`,
  'order-code': ({ code, amountCents, wholesaler }) =>
    `${code} es tu clave para confirmar tu pedido de ${pesos(amountCents)} ` +
    `con ${nameIn(wholesaler)}. No la compartas con nadie.`,
  'delivery-word': ({ word, wholesaler }) =>
    `Tu palabra de entrega es ${word}. Dila al repartidor de ${nameIn(wholesaler)} ` +
    `solo cuando recibas tu pedido.`,
  'delivered-amount': ({ amountCents, wholesaler }) =>
    `El monto final de tu pedido con ${nameIn(wholesaler)} es ${pesos(amountCents)}. ` +
    `Si no es correcto, avisa a tu proveedor.`,
  // Not the wholesaler: it may be the one who changed the number to get at the account.
  'phone-changed': ({ phoneMasked, supportPhone }) =>
    `El celular de tu cuenta de Fiado ahora termina en ${phoneMasked.slice(-4)}. ` +
    `Si no lo pediste, ${supportPhone === undefined ? 'avisa a Fiado' : `llama a Fiado al ${supportPhone}`}.`,
};

/** The text of an SMS. */
export function renderText<Template extends MessageTemplate>(
  template: Template,
  values: MessageValues[Template],
): string {
  return texts[template](values);
}

/** Integer cents as `$1,250.00`: the commas keep its digits in groups of three. */
function pesos(amountCents: number): string {
  return `$${amountFormat.format(amountOf(amountCents))}`;
}

/** A wholesaler's name as a text can carry it: short, in GSM-7, without what looks like a code. */
function nameIn(wholesaler: string): string {
  const written = toGsm7(wholesaler);
  const digits = written.match(/\d/g)?.length ?? 0;
  const name = digits >= DIGITS_LIKE_A_CODE ? toGsm7(written.replace(/\d/g, '')) : written;
  return name.slice(0, MAX_NAME_LENGTH).trim() || 'tu proveedor';
}
