import {
  DENY,
  MESSAGES,
  type MessageTemplate,
  type MessageValues,
} from '@fiado/contracts/message-catalogue';
import { shortName } from '@fiado/contracts/short-name';

/** GSM-7 characters that one SMS holds. */
const ONE_SMS = 160;
/** Longest names in a text, tried in order: the first that keeps the text within one SMS is used. */
const NAME_LENGTHS = [40, 30, 20] as const;
/** Digits from which a name could be mistaken for a code. */
const DIGITS_LIKE_A_CODE = 4;

/** The lender. Every text names it. */
export interface SmsLender {
  name: string;
  /** As people write it: `55 1234 5678`. */
  phone: string;
  /** Names of the places where stores pay. */
  places: string[];
  /** Short address of the page "Mi cuenta": `fiado.example/mi`. Absent without a public URL. */
  accountPage?: string | undefined;
}

/**
 * The text of an SMS: with how to deny an order, the address of the page and all places to pay, or without the page, or
 * with fewer places, and then with names in full, or shorter, until it is one SMS; at last without how to deny it.
 */
export function renderText<Template extends MessageTemplate>(
  template: Template,
  values: MessageValues[Template],
  lender: SmsLender,
): string {
  let text = '';
  const pages = lender.accountPage === undefined ? [] : [` Tu cuenta: ${lender.accountPage}`];
  for (const deny of [DENY, '']) {
    for (const page of [...pages, '']) {
      for (const where of [...placesIn(lender.places), '']) {
        for (const length of NAME_LENGTHS) {
          const name = (full: string) => nameIn(full, length);
          const lent = { ...lender, lender: name(lender.name), where, page, deny, name };
          const words = { ...lent, value: (part: string) => part };
          text = MESSAGES[template].text(values, words);
          if (text.length <= ONE_SMS) return text;
        }
      }
    }
  }
  return text;
}

/**
 * The text of a message as its WhatsApp template writes it, and the template's variables in their order. It names no
 * place to pay and no page: Meta approves one text, and these are the lender's.
 */
export function renderForWhatsapp<Template extends MessageTemplate>(
  template: Template,
  values: MessageValues[Template],
  lender: SmsLender,
): { text: string; variables: string[] } {
  const variables: string[] = [];
  const text = MESSAGES[template].text(values, {
    lender: lender.name,
    phone: lender.phone,
    where: '',
    page: '',
    deny: DENY,
    name: (full) => nameIn(full, NAME_LENGTHS[0]),
    value: (part) => {
      variables.push(part);
      return part;
    },
  });
  return { text, variables };
}

/** ` en OXXO o Kiosko`: all places, then fewer of them. */
function placesIn(places: string[]): string[] {
  return places.map((_place, dropped) => {
    const names = places.slice(0, places.length - dropped).map((place) => toGsm7(place));
    return ` en ${names.join(', ').replace(/, ([^,]*)$/, ' o $1')}`;
  });
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
