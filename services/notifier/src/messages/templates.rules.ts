import type { MessageTemplate, MessageValues } from '@fiado/contracts/jobs/send-message';
import { amountOf } from '@fiado/contracts/money';
import { shortName } from '@fiado/contracts/short-name';

/** GSM-7 characters that one SMS holds. */
const ONE_SMS = 160;
/** Longest names in a text: the first with which it stays one SMS. */
const NAME_LENGTHS = [40, 30, 20];
/** From this many digits on, a name could pass for a code. */
const DIGITS_LIKE_A_CODE = 4;
const MONTHS = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ');
const amountFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** Who gives the credit. Every text names it. */
export interface SmsLender {
  name: string;
  /** As people write it: `55 1234 5678`. */
  phone: string;
  /** Names of the places where stores pay. */
  places: string[];
  /** Short address of the page "Mi cuenta": `fiado.example/mi`. Absent without a public URL. */
  accountPage?: string | undefined;
}

/** What a text says besides its values. */
interface Words {
  /** The lender's name and phone. */
  lender: string;
  phone: string;
  /** ` en OXXO`: where stores pay; may be empty. */
  where: string;
  /** ` Tu cuenta: fiado.example/mi`; may be empty. */
  page: string;
  /** A name as the text can carry it. */
  name: (full: string) => string;
}

type Text<Template extends MessageTemplate> = (
  values: MessageValues[Template],
  words: Words,
) => string;

/**
 * The closed list of texts. In Spanish, and with words that GSM-7 can write (clave, not código):
 * one SMS instead of two. A code comes first and is the only six digits in a row, so that phones
 * offer the right ones. No text asks to pay and holds an address: that is how fraud looks.
 */
const texts: { [Template in MessageTemplate]: Text<Template> } = {
  'verification-code': ({ code }, { lender, phone }) =>
    `${code} es tu clave para verificar tu cuenta con ${lender}. ` +
    `Dala solo al vendedor de tu proveedor. Dudas: ${phone}`,
  'account-code': ({ code }, { lender, phone }) =>
    `${code} es tu clave para ver tu cuenta con ${lender}. No la des a nadie. Dudas: ${phone}`,
  'order-code': ({ code, amountCents, wholesaler }, { lender, phone, name }) =>
    `${code} es tu clave para confirmar tu pedido de ${pesos(amountCents)} ` +
    `con ${name(wholesaler)}. Dala solo a su vendedor. ${lender} ${phone}`,
  'delivery-word': ({ word, wholesaler, amountCents }, { lender, phone, name }) =>
    `Tu palabra de entrega es ${word}. Dila solo al recibir tu pedido ` +
    `de ${pesos(amountCents)} de ${name(wholesaler)}. ${lender} ${phone}`,
  delivered: ({ totalCents, wholesaler, dueOn, reference }, { lender, phone, where, name }) =>
    `Pedido entregado. Debes ${pesos(totalCents)} a ${name(wholesaler)}. Paga${where} ` +
    `a mas tardar el ${dayOf(dueOn)}, referencia ${reference}. ${lender} ${phone}`,
  'payment-received': ({ amountCents, leftCents }, { lender, phone, page }) =>
    `Recibimos tu pago de ${pesos(amountCents)}. Gracias. ` +
    `${leftCents === 0 ? 'Ya no debes nada' : `Te falta pagar ${pesos(leftCents)}`}. ${lender} ${phone}${page}`,
  'payment-reversed': ({ amountCents, leftCents, reference }, { lender, phone }) =>
    `Quitamos el pago de ${pesos(amountCents)}: fue devuelto o no era tuyo. ` +
    `${leftCents === 0 ? 'No debes nada' : `Debes ${pesos(leftCents)}, tu referencia es ${reference}`}. ` +
    `Dudas: ${lender} ${phone}`,
  'order-credited': ({ amountCents, leftCents, wholesaler }, { lender, phone, name }) =>
    `Te descontamos ${pesos(amountCents)} de tu pedido de ${name(wholesaler)}. ` +
    `${leftCents === 0 ? 'Ya no debes nada' : `Te falta pagar ${pesos(leftCents)}`}. ${lender} ${phone}`,
  'payment-due': ({ amountCents, wholesaler, dueOn, reference }, { lender, phone, name }) =>
    `Tu pago de ${pesos(amountCents)} por tu pedido de ${name(wholesaler)} vence el ` +
    `${dayOf(dueOn)}. Tu referencia es ${reference}. ${lender} ${phone}`,
  'payment-overdue': ({ amountCents, wholesaler, dueOn, reference }, { lender, phone, name }) =>
    `Desde el ${dayOf(dueOn)} debes ${pesos(amountCents)} de tu pedido de ${name(wholesaler)}. ` +
    `Tu referencia es ${reference}. Dudas: ${lender} ${phone}`,
  'store-approved': ({ creditLimitCents }, { lender, phone, page }) =>
    `Ya puedes comprar a crédito con ${lender}` +
    `${creditLimitCents > 0 ? `: hasta ${pesos(creditLimitCents)}` : ''}. ` +
    `Avisa a tu proveedor. Dudas: ${phone}${page}`,
  // Not the wholesaler: it may be the one who changed the number to get at the account.
  'phone-changed': ({ phoneMasked }, { lender, phone }) =>
    `El celular de tu cuenta ahora termina en ${phoneMasked.slice(-4)}. ` +
    `Si no lo pediste, llama a ${lender} al ${phone}.`,
  'reminders-ended': (_values, { lender, phone }) =>
    'Listo: ya no te mandamos recordatorios de pago. Tus claves y avisos siguen. ' +
    `Para tenerlos otra vez responde ALTA. ${lender} ${phone}`,
  'reminders-resumed': (_values, { lender, phone }) =>
    'Listo: te recordamos tus pagos antes de que venzan. ' +
    `Para ya no recibir recordatorios responde BAJA. ${lender} ${phone}`,
};

/**
 * The text of an SMS: with the address of the page and all places to pay, or without the page, or with
 * fewer places, and then with names in full, or shorter, until it is one SMS.
 */
export function renderText<Template extends MessageTemplate>(
  template: Template,
  values: MessageValues[Template],
  lender: SmsLender,
): string {
  let text = '';
  const pages = lender.accountPage === undefined ? [] : [` Tu cuenta: ${lender.accountPage}`];
  for (const page of [...pages, '']) {
    for (const where of [...placesIn(lender.places), '']) {
      for (const length of NAME_LENGTHS) {
        const name = (full: string) => nameIn(full, length);
        text = texts[template](values, { ...lender, lender: name(lender.name), where, page, name });
        if (text.length <= ONE_SMS) return text;
      }
    }
  }
  return text;
}

/** ` en OXXO o Kiosko`: all places, then fewer of them. */
function placesIn(places: string[]): string[] {
  return places.map((_place, dropped) => {
    const names = places.slice(0, places.length - dropped).map((place) => toGsm7(place));
    return ` en ${names.join(', ').replace(/, ([^,]*)$/, ' o $1')}`;
  });
}

/** Integer cents as `$1,250.00`: the commas keep its digits in groups of three. */
function pesos(amountCents: number): string {
  return `$${amountFormat.format(amountOf(amountCents))}`;
}

/** `2026-12-07` as `7 dic`. */
function dayOf(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

/** A name as a text can carry it: cut at a word, in GSM-7, without what looks like a code. */
function nameIn(full: string, length: number): string {
  const written = toGsm7(full);
  const digits = written.match(/\d/g)?.length ?? 0;
  const name = digits >= DIGITS_LIKE_A_CODE ? toGsm7(written.replace(/\d/g, '')) : written;
  return shortName(name, length) || 'tu proveedor';
}

/** GSM 03.38's basic alphabet without its line breaks: 160 of these fit into one SMS. */
const GSM7 = new Set(
  '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
    'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/**
 * The text in GSM-7: á í ó ú lose their accent, characters without an equivalent are dropped, and
 * repeated spaces are merged.
 */
export function toGsm7(text: string): string {
  return Array.from(text.normalize('NFKC').replace(/\s+/g, ' '))
    .map((character) => {
      if (GSM7.has(character)) return character;
      const letter = character.normalize('NFD').charAt(0);
      return GSM7.has(letter) ? letter : '';
    })
    .join('')
    .replace(/ +/g, ' ')
    .trim();
}
