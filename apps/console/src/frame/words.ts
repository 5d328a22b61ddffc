import type { Request } from 'express';
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
  return wordFor(template, {
    'verification-code': say('Clave de alta', 'Code of a new account'),
    'account-code': say('Clave de la cuenta', 'Code of the account'),
    'order-code': say('Clave del pedido', 'Code of the order'),
    'delivery-word': say('Palabra de entrega', 'Delivery word'),
    'delivered-amount': say('Monto entregado', 'Delivered amount'),
    delivered: say('Pedido entregado', 'Order delivered'),
    'payment-received': say('Pago recibido', 'Payment received'),
    'payment-reversed': say('Pago revertido', 'Payment reversed'),
    'payment-due': say('Recordatorio', 'Reminder'),
    'payment-overdue': say('Aviso de atraso', 'Overdue notice'),
    'order-credited': say('Descuento del pedido', 'Order credited'),
    'store-approved': say('Crédito aprobado', 'Store approved'),
    'reminders-ended': say('Sin recordatorios', 'Reminders ended'),
    'reminders-resumed': say('Recordatorios otra vez', 'Reminders again'),
    'phone-changed': say('Cambio de celular', 'Phone changed'),
  });
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
  return wordFor(type, {
    'verification.approved': say('Cuenta verificada', 'Account verified'),
    'onboarding.completed': say('Registro terminado', 'Onboarding completed'),
    'corner-store.status-changed': say('Estado de una tienda', 'State of a store'),
    'corner-store.limit-changed': say('Línea de una tienda', 'Limit of a store'),
    'corner-store.blocked': say('Tienda bloqueada', 'Store blocked'),
    'corner-store.erased': say('Datos de una tienda borrados', 'Data of a store erased'),
    'transaction.created': say('Pedido creado', 'Order created'),
    'transaction.confirmed': say('Pedido confirmado', 'Order confirmed'),
    'transaction.delivered': say('Pedido entregado', 'Order delivered'),
    'transaction.cancelled': say('Pedido cancelado', 'Order cancelled'),
    'transaction.expired': say('Pedido caducado', 'Order expired'),
    'transaction.paid': say('Pedido pagado', 'Order paid'),
    'transaction.payment-reversed': say(
      'Pago de un pedido, revertido',
      'Payment of an order reversed',
    ),
    'transaction.credited': say('Nota de crédito', 'Credit note'),
    'transaction.credit-note-refused': say('Nota de crédito no dada', 'Credit note refused'),
    'default.opened': say('Atraso nuevo', 'New default'),
    'default.closed': say('Atraso pagado', 'Default paid'),
    'payment.applied': say('Pago aplicado', 'Payment applied'),
    'payment.reversed': say('Pago revertido', 'Payment reversed'),
    'message.failed': say('Mensaje fallido', 'Message failed'),
    'invoice.issued': say('Factura emitida', 'Invoice issued'),
    'invoice.failed': say('Factura fallida', 'Invoice failed'),
    'statement.closed': say('Liquidación cerrada', 'Statement closed'),
    'statement.paid': say('Liquidación pagada', 'Statement paid'),
    'statement.returned': say('Pago de liquidación devuelto', 'Payment of a statement returned'),
    'deposit.applied': say('Depósito aplicado', 'Deposit applied'),
    'deposit.unmatched': say('Depósito sin asignar', 'Deposit unmatched'),
    'deposit.reversed': say('Depósito revertido', 'Deposit reversed'),
    'endpoint.disabled': say('Dirección desactivada', 'Endpoint disabled'),
    'endpoint.test': say('Prueba', 'Test'),
  });
}
