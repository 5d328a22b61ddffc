import { amountOf, MAX_AMOUNT_CENTS } from './money';
import { shortName } from './short-name';

const MONTHS = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ');
const amountFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** How a store says that an order is not its own. */
export const DENY = ' No es tuyo? Responde NO.';

/** What a text says besides its values. */
export interface SmsWords {
  /** The lender's name and phone. */
  lender: string;
  phone: string;
  /** ` en OXXO`: where stores pay; may be empty. */
  where: string;
  /** ` Tu cuenta: fiado.example/mi`; may be empty. */
  page: string;
  /** DENY; may be empty. */
  deny: string;
  /** A name as the text can carry it. */
  name: (full: string) => string;
  /** What differs from message to message: a numbered variable of the template that WhatsApp has of the text. */
  value: (text: string) => string;
}

interface Message<Values> {
  /** Its name on the ops pages. */
  called: { es: string; en: string };
  /**
   * Whether accounts counts it against the budget of unknown numbers before it is sent, and refuses its request.
   * Every other message to a number that no code has proved waits for that budget.
   */
  isCountedBefore?: true;
  /** Whether it may go by WhatsApp: without a code and the delivery word, and each `value` always has a text. */
  mayGoByWhatsapp?: true;
  /** Its longest values. */
  longest: Values;
  text: (values: Values, words: SmsWords) => string;
}

const LONG = {
  code: '999999',
  amountCents: MAX_AMOUNT_CENTS,
  /** All that the store owes then. */
  leftCents: MAX_AMOUNT_CENTS,
  wholesaler: 'Distribuidora de Abarrotes de la Costa y Sierra',
  /** Last day to pay on time. */
  dueOn: '2026-12-27',
  reference: '808610562759',
};

/** The longest values of these names. */
function longest<Name extends keyof typeof LONG>(...names: Name[]): Pick<typeof LONG, Name> {
  return Object.fromEntries(names.map((name) => [name, LONG[name]])) as Pick<typeof LONG, Name>;
}

/** Characters of a name in a choice of three orders. */
const CHOICE_NAME = 12;

/**
 * The closed list of SMS. In Spanish, and with words that GSM-7 can write (clave, not código): one SMS
 * instead of two. A code comes first and is the only six digits in a row, so that phones offer the right
 * ones. No text asks to pay and holds an address: that is how fraud looks.
 */
const catalogue = {
  'verification-code': sms({
    called: { es: 'Clave de alta', en: 'Code of a new account' },
    isCountedBefore: true,
    longest: longest('code'),
    text: ({ code }, { lender, phone }) =>
      `${code} es tu clave para verificar tu cuenta con ${lender}. ` +
      `Dala solo al vendedor de tu proveedor. Dudas: ${phone}`,
  }),
  // Opens the account page.
  'account-code': sms({
    called: { es: 'Clave de la cuenta', en: 'Code of the account' },
    longest: longest('code'),
    text: ({ code }, { lender, phone }) =>
      `${code} es tu clave para ver tu cuenta con ${lender}. No la des a nadie. Dudas: ${phone}`,
  }),
  'order-code': sms({
    called: { es: 'Clave del pedido', en: 'Code of the order' },
    longest: longest('code', 'amountCents', 'wholesaler'),
    text: ({ code, amountCents, wholesaler }, { lender, phone, name }) =>
      `${code} es tu clave para confirmar tu pedido de ${pesos(amountCents)} ` +
      `con ${name(wholesaler)}. Dala solo a su vendedor. ${lender} ${phone}`,
  }),
  'delivery-word': sms({
    called: { es: 'Palabra de entrega', en: 'Delivery word' },
    longest: { word: 'FerrocarrilRinoceronte', ...longest('wholesaler', 'amountCents') },
    text: ({ word, wholesaler, amountCents }, { lender, phone, name }) =>
      `Tu palabra de entrega es ${word}. Dila solo al recibir tu pedido ` +
      `de ${pesos(amountCents)} de ${name(wholesaler)}. ${lender} ${phone}`,
  }),
  delivered: sms({
    called: { es: 'Pedido entregado', en: 'Order delivered' },
    mayGoByWhatsapp: true,
    longest: { totalCents: LONG.amountCents, ...longest('wholesaler', 'dueOn', 'reference') },
    text: (
      { totalCents, wholesaler, dueOn, reference },
      { lender, phone, where, deny, name, value },
    ) =>
      `Pedido entregado. Debes ${value(pesos(totalCents))} a ${value(name(wholesaler))}. Paga${where} ` +
      `a mas tardar el ${value(dayOf(dueOn))}, referencia ${value(reference)}.${deny} ${lender} ${phone}`,
  }),
  'payment-received': sms({
    called: { es: 'Pago recibido', en: 'Payment received' },
    mayGoByWhatsapp: true,
    longest: longest('amountCents', 'leftCents'),
    text: ({ amountCents, leftCents }, { lender, phone, page, value }) =>
      `Recibimos tu pago de ${value(pesos(amountCents))}. Gracias. ` +
      `${value(leftToPay(leftCents))}. ${lender} ${phone}${page}`,
  }),
  // A payment that the store was told of was taken back.
  'payment-reversed': sms({
    called: { es: 'Pago revertido', en: 'Payment reversed' },
    mayGoByWhatsapp: true,
    longest: longest('amountCents', 'leftCents', 'reference'),
    text: ({ amountCents, leftCents, reference }, { lender, phone, value }) =>
      `Quitamos el pago de ${value(pesos(amountCents))}: fue devuelto o no era tuyo. ` +
      `${value(leftCents === 0 ? 'No debes nada' : `Debes ${pesos(leftCents)}, tu referencia es ${reference}`)}. ` +
      `Dudas: ${lender} ${phone}`,
  }),
  'payment-due': sms({
    called: { es: 'Recordatorio', en: 'Reminder' },
    mayGoByWhatsapp: true,
    longest: longest('amountCents', 'wholesaler', 'dueOn', 'reference'),
    text: ({ amountCents, wholesaler, dueOn, reference }, { lender, phone, name, value }) =>
      `Tu pago de ${value(pesos(amountCents))} por tu pedido de ${value(name(wholesaler))} vence el ` +
      `${value(dayOf(dueOn))}. Tu referencia es ${value(reference)}. ${lender} ${phone}`,
  }),
  'payment-overdue': sms({
    called: { es: 'Aviso de atraso', en: 'Overdue notice' },
    mayGoByWhatsapp: true,
    longest: longest('amountCents', 'wholesaler', 'dueOn', 'reference'),
    text: ({ amountCents, wholesaler, dueOn, reference }, { lender, phone, name, value }) =>
      `Desde el ${value(dayOf(dueOn))} debes ${value(pesos(amountCents))} de tu pedido de ` +
      `${value(name(wholesaler))}. Tu referencia es ${value(reference)}. Dudas: ${lender} ${phone}`,
  }),
  // A credit note.
  'order-credited': sms({
    called: { es: 'Descuento del pedido', en: 'Order credited' },
    mayGoByWhatsapp: true,
    longest: longest('amountCents', 'leftCents', 'wholesaler'),
    text: ({ amountCents, leftCents, wholesaler }, { lender, phone, name, value }) =>
      `Te descontamos ${value(pesos(amountCents))} de tu pedido de ${value(name(wholesaler))}. ` +
      `${value(leftToPay(leftCents))}. ${lender} ${phone}`,
  }),
  // A store that was told of a default had paid in time; its provider told later.
  'default-withdrawn': sms({
    called: { es: 'Atraso retirado', en: 'Default withdrawn' },
    mayGoByWhatsapp: true,
    longest: longest('wholesaler', 'dueOn'),
    text: ({ wholesaler, dueOn }, { lender, phone, name, value }) =>
      `Ya vimos que pagaste a tiempo tu pedido de ${value(name(wholesaler))}, que vencia el ` +
      `${value(dayOf(dueOn))}. Quitamos el aviso de atraso. Disculpa. ${lender} ${phone}`,
  }),
  // The store said that a delivered order is not its own.
  'dispute-noted': sms({
    called: { es: 'Disputa anotada', en: 'Dispute noted' },
    longest: longest('amountCents', 'wholesaler'),
    text: ({ amountCents, wholesaler }, { lender, phone, name }) =>
      `Anotamos que no es tuyo el pedido de ${pesos(amountCents)} de ${name(wholesaler)}. ` +
      `Lo revisamos y te avisamos. ${lender} ${phone}`,
  }),
  // Several deliveries: which one is not its own? The third has no name where there are two.
  'dispute-choice': sms({
    called: { es: 'Cuál no es suyo', en: 'Which order is disputed' },
    longest: {
      wholesaler: LONG.wholesaler,
      amountCents: LONG.amountCents,
      secondWholesaler: LONG.wholesaler,
      secondCents: LONG.amountCents,
      thirdWholesaler: LONG.wholesaler,
      thirdCents: LONG.amountCents,
    },
    text: (values, { lender, phone, name }) => {
      const { wholesaler, amountCents, secondWholesaler, secondCents } = values;
      const { thirdWholesaler, thirdCents } = values;
      const short = (full: string, cents: number) =>
        `${shortName(name(full), CHOICE_NAME) || name(full)} ${pesos(cents)}`;
      const third = thirdWholesaler === '' ? '' : `, 3 ${short(thirdWholesaler, thirdCents)}`;
      return (
        `Responde NO y su numero: 1 ${short(wholesaler, amountCents)}, ` +
        `2 ${short(secondWholesaler, secondCents)}${third}. ${lender} ${phone}`
      );
    },
  }),
  // Nothing was delivered lately, or the store disputes too often.
  'dispute-call': sms<Record<string, never>>({
    called: { es: 'Disputa por teléfono', en: 'Dispute by phone' },
    longest: {},
    text: (_values, { lender, phone }) =>
      'No encontramos un pedido reciente que puedas rechazar por mensaje. ' +
      `Si algo no es tuyo, llama a ${lender} al ${phone}.`,
  }),
  // dueOn: with the days of the dispute; empty when it is paid or past it.
  'dispute-kept': sms({
    called: { es: 'Disputa: se mantiene', en: 'Dispute: the debt stays' },
    longest: longest('amountCents', 'wholesaler', 'dueOn'),
    text: ({ amountCents, wholesaler, dueOn }, { lender, phone, name }) =>
      `Revisamos tu pedido de ${pesos(amountCents)} de ${name(wholesaler)}: si es tuyo.` +
      `${dueOn === '' ? '' : ` Tienes hasta el ${dayOf(dueOn)} para pagarlo.`} Dudas: ${lender} ${phone}`,
  }),
  // The corner store may buy on credit. creditLimitCents: 0 while it has no limit.
  'store-approved': sms({
    called: { es: 'Crédito aprobado', en: 'Store approved' },
    longest: { creditLimitCents: LONG.amountCents },
    text: ({ creditLimitCents }, { lender, phone, page }) =>
      `Ya puedes comprar a crédito con ${lender}` +
      `${creditLimitCents > 0 ? `: hasta ${pesos(creditLimitCents)}` : ''}. ` +
      `Avisa a tu proveedor. Dudas: ${phone}${page}`,
  }),
  // Not the wholesaler: it may be the one who changed the number to get at the account.
  'phone-changed': sms({
    called: { es: 'Cambio de celular', en: 'Phone changed' },
    longest: { phoneMasked: '********5678' },
    text: ({ phoneMasked }, { lender, phone }) =>
      `El celular de tu cuenta ahora termina en ${phoneMasked.slice(-4)}. ` +
      `Si no lo pediste, llama a ${lender} al ${phone}.`,
  }),
  // The owner opposed to reminders.
  'reminders-ended': sms<Record<string, never>>({
    called: { es: 'Sin recordatorios', en: 'Reminders ended' },
    longest: {},
    text: (_values, { lender, phone }) =>
      'Listo: ya no te mandamos recordatorios de pago. Tus claves y avisos siguen. ' +
      `Para tenerlos otra vez responde ALTA. ${lender} ${phone}`,
  }),
  'reminders-resumed': sms<Record<string, never>>({
    called: { es: 'Recordatorios otra vez', en: 'Reminders again' },
    longest: {},
    text: (_values, { lender, phone }) =>
      'Listo: te recordamos tus pagos antes de que venzan. ' +
      `Para ya no recibir recordatorios responde BAJA. ${lender} ${phone}`,
  }),
};

export type MessageTemplate = keyof typeof catalogue;

/** The values that each message carries. */
export type MessageValues = {
  [Template in MessageTemplate]: (typeof catalogue)[Template]['longest'];
};

export const MESSAGES: {
  [Template in MessageTemplate]: Message<MessageValues[Template]>;
} = catalogue;

export const MESSAGE_TEMPLATES = Object.keys(MESSAGES) as MessageTemplate[];

/** Those that may go by WhatsApp. */
export const WHATSAPP_TEMPLATES = MESSAGE_TEMPLATES.filter((one) => MESSAGES[one].mayGoByWhatsapp);

/** Names the type of a message's values, which its text gets. */
function sms<Values>(message: Message<Values>): Message<Values> {
  return message;
}

/** Integer cents as `$1,250.00`: the commas keep its digits in groups of three. */
function pesos(amountCents: number): string {
  return `$${amountFormat.format(amountOf(amountCents))}`;
}

function leftToPay(leftCents: number): string {
  return leftCents === 0 ? 'Ya no debes nada' : `Te falta pagar ${pesos(leftCents)}`;
}

/** `2026-12-07` as `7 dic`. */
function dayOf(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}
