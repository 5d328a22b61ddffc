import { IsBoolean, IsIn, IsUUID } from './class-validator';
import { defineCall } from './define';

/**
 * Events of a wholesaler by type, the object and what happened to it in the past tense: how the console
 * calls each, and when it happens (Markdown).
 */
const WHOLESALER_EVENTS = {
  'verification.approved': {
    called: { es: 'Cuenta verificada', en: 'Account verified' },
    when: 'A user proved its phone with the code.',
  },
  'onboarding.completed': {
    called: { es: 'Registro terminado', en: 'Onboarding completed' },
    when: 'A user finished its onboarding; the lender decides next.',
  },
  'corner-store.status-changed': {
    called: { es: 'Estado de una tienda', en: 'State of a store' },
    when: 'The status of a customer changed: by the lender, by an overdue debt, or by its payment.',
  },
  'corner-store.limit-changed': {
    called: { es: 'Línea de una tienda', en: 'Limit of a store' },
    when: 'The lender changed the credit limit or interest rate of a customer.',
  },
  'corner-store.blocked': {
    called: { es: 'Tienda bloqueada', en: 'Store blocked' },
    when:
      'The owner of a customer asked the lender to cancel their data. The store cannot buy any more: stop to use ' +
      'your own copy of the data.',
  },
  'corner-store.erased': {
    called: { es: 'Datos de una tienda borrados', en: 'Data of a store erased' },
    when: 'The data of the owner of a customer are erased. Erase your own copy, unless a law asks you to keep it.',
  },
  'transaction.created': {
    called: { es: 'Pedido creado', en: 'Order created' },
    when: 'An order was created, and its credit is held.',
  },
  'transaction.confirmed': {
    called: { es: 'Pedido confirmado', en: 'Order confirmed' },
    when: 'The corner store confirmed an order, or an order of a batch was accepted.',
  },
  'transaction.delivered': {
    called: { es: 'Pedido entregado', en: 'Order delivered' },
    when: 'An order was delivered, and its debt is booked.',
  },
  'transaction.cancelled': {
    called: { es: 'Pedido cancelado', en: 'Order cancelled' },
    when: 'An order was cancelled, and its credit is free.',
  },
  'transaction.expired': {
    called: { es: 'Pedido caducado', en: 'Order expired' },
    when: 'An order was not confirmed or not delivered in time, and its credit is free.',
  },
  'transaction.paid': {
    called: { es: 'Pedido pagado', en: 'Order paid' },
    when: 'The debt of an order was paid in full.',
  },
  'transaction.payment-reversed': {
    called: { es: 'Pago de un pedido, revertido', en: 'Payment of an order reversed' },
    when:
      'A payment of a paid order was taken back: it undoes `transaction.paid`, and the order is owed again. ' +
      'When it is paid again, another `transaction.paid` follows.',
  },
  'transaction.credited': {
    called: { es: 'Nota de crédito', en: 'Credit note' },
    when: 'Goods of a delivered order came back or cost less, and its debt is lower by them.',
  },
  'transaction.credit-note-refused': {
    called: { es: 'Nota de crédito no dada', en: 'Credit note refused' },
    when: 'A credit note that waited for the lender is not booked: `status` says why. The debt is as it was.',
  },
  'transaction.disputed': {
    called: { es: 'Pedido en disputa', en: 'Order disputed' },
    when:
      'A corner store says that a delivered order is not its own. No statement has the order until the lender decides; ' +
      '`respondToDispute` tells the lender what you know.',
  },
  'transaction.dispute-closed': {
    called: { es: 'Disputa decidida', en: 'Dispute decided' },
    when:
      'The lender decided a dispute. With the status `kept` the next statement has the order; with `credited` a ' +
      '`transaction.credited` took all that was left of it.',
  },
  'default.opened': {
    called: { es: 'Atraso nuevo', en: 'New default' },
    when: 'A debt was not paid by its `paymentDate`; the corner store cannot order.',
  },
  'default.closed': {
    called: { es: 'Atraso pagado', en: 'Default paid' },
    when: 'A debt in default was paid.',
  },
  'default.withdrawn': {
    called: { es: 'Atraso retirado', en: 'Default withdrawn' },
    when:
      'After `default.closed`: the debt was paid by its last day, as its provider told later and signed. The default is in the list ' +
      'no more; the corner store was never late.',
  },
  'payment.applied': {
    called: { es: 'Pago aplicado', en: 'Payment applied' },
    when: 'A deposit paid a debt, or a part of it.',
  },
  'payment.reversed': {
    called: { es: 'Pago revertido', en: 'Payment reversed' },
    when: 'Operations took a payment back, and what it paid is owed again.',
  },
  'message.failed': {
    called: { es: 'Mensaje fallido', en: 'Message failed' },
    when: 'An SMS will not arrive. With the status `unknown` it may have arrived, because the SMS provider did not answer.',
  },
  'invoice.issued': {
    called: { es: 'Factura emitida', en: 'Invoice issued' },
    when: 'An invoice was stamped by the tax authority.',
  },
  'invoice.failed': {
    called: { es: 'Factura fallida', en: 'Invoice failed' },
    when: 'An invoice was refused, or could not be stamped for three days.',
  },
  'invoice.credit-note-issued': {
    called: { es: 'Nota de crédito (CFDI) emitida', en: 'Credit note (CFDI) issued' },
    when: 'A credit note was stamped, for what an invoice in the name of a store billed too much.',
  },
  'invoice.payment-complement-issued': {
    called: { es: 'Complemento de pago emitido', en: 'Payment complement issued' },
    when: 'A payment complement was stamped: it says that the lender paid the invoices of a statement.',
  },
  'invoice.cancelled': {
    called: { es: 'Factura cancelada', en: 'Invoice cancelled' },
    when:
      'An issued invoice was cancelled: you asked for it, or its transaction ended or shrank. One that is made anew follows with an ' +
      '`invoice.issued` of its own.',
  },
  'statement.closed': {
    called: { es: 'Liquidación cerrada', en: 'Statement closed' },
    when:
      'A statement closed: what the lender owes for the deliveries of a period. One with nothing due is `paid` at once, ' +
      'without another event.',
  },
  'statement.paid': {
    called: { es: 'Liquidación pagada', en: 'Statement paid' },
    when: 'The lender paid a statement; `bankReference` is that of the transfer.',
  },
  'statement.returned': {
    called: { es: 'Pago de liquidación devuelto', en: 'Payment of a statement returned' },
    when: 'The bank returned the payment of a statement. It is `closed` again, and is paid with another transfer.',
  },
};

/** Events of a payment provider. */
const PROVIDER_EVENTS = {
  'deposit.applied': {
    called: { es: 'Depósito aplicado', en: 'Deposit applied' },
    when: 'A deposit was matched with the customer who paid.',
  },
  'deposit.unmatched': {
    called: { es: 'Depósito sin asignar', en: 'Deposit unmatched' },
    when:
      'No debt or customer was found for a deposit, or operations took it away from the wrong one; ' +
      'operations assigns it.',
  },
  'deposit.reversed': {
    called: { es: 'Depósito revertido', en: 'Deposit reversed' },
    when: 'Operations took a deposit back.',
  },
  'deposit.reversal-refused': {
    called: { es: 'Reversión rechazada', en: 'Reversal refused' },
    when: 'The lender does not reverse a deposit, as its provider had asked (`requestReversal`).',
  },
};

/** Events about the webhook endpoints themselves, for both. The notifier makes them. */
const ENDPOINT_EVENTS = {
  'endpoint.disabled': {
    called: { es: 'Dirección desactivada', en: 'Endpoint disabled' },
    when: 'A webhook endpoint was disabled, because it failed for 72 hours or asked for it.',
  },
  'endpoint.test': {
    called: { es: 'Prueba', en: 'Test' },
    when: 'A test that `testWebhookEndpoint` sends.',
  },
};

export const EVENTS = { ...WHOLESALER_EVENTS, ...PROVIDER_EVENTS, ...ENDPOINT_EVENTS };

export type EventType = keyof typeof EVENTS;

/** The closed list of event types. */
export const EVENT_TYPES = typesOf(EVENTS);

/** The owners of events and webhook endpoints. */
export const EVENT_OWNER_KINDS = ['wholesaler', 'payment-provider'] as const;

export type EventOwnerKind = (typeof EVENT_OWNER_KINDS)[number];

/** The types of the events that owners of a kind get. */
export const EVENT_TYPES_OF_OWNER: Record<EventOwnerKind, readonly EventType[]> = {
  wholesaler: typesOf({ ...WHOLESALER_EVENTS, ...ENDPOINT_EVENTS }),
  'payment-provider': typesOf({ ...PROVIDER_EVENTS, ...ENDPOINT_EVENTS }),
};

function typesOf(events: Partial<typeof EVENTS>): EventType[] {
  return Object.keys(events) as EventType[];
}

/**
 * An event as it is delivered and listed. `data` is the object as its own GET shows it, with
 * `version`; it has no names, phones or coordinates.
 */
export interface FiadoEvent<Data extends object = object> {
  /** `evt_` and a UUID. */
  id: string;
  type: EventType;
  /** When it happened: ISO 8601 in UTC. */
  timestamp: string;
  data: Data;
}

const ID_PREFIX = 'evt_';

/** An event's id as it is signed and shown: no dot may be in it, because a dot ends it when it is signed. */
export function eventIdOf(uuid: string): string {
  return `${ID_PREFIX}${uuid}`;
}

/** The UUID of an event's id; undefined when it does not begin with `evt_`. */
export function uuidOfEventId(id: string): string | undefined {
  return id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : undefined;
}

export class EventSettings {
  /** wholesalerId or paymentProviderId. */
  @IsUUID()
  ownerId: string;

  @IsIn(EVENT_OWNER_KINDS)
  ownerKind: EventOwnerKind;

  @IsBoolean()
  enabled: boolean;
}

/** For every service that publishes events. */
export const eventSettingsCall = defineCall<Pick<EventSettings, 'enabled'>>()(
  '/internal/event-settings',
  EventSettings,
);
