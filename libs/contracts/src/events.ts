import { IsBoolean, IsIn, IsUUID } from 'class-validator';
import { defineCall } from './define';

/** Types of the events of a wholesaler: the object, and what happened to it in the past tense. */
export const WHOLESALER_EVENT_TYPES = [
  'verification.approved',
  'onboarding.completed',
  'corner-store.status-changed',
  'corner-store.limit-changed',
  'corner-store.blocked',
  'corner-store.erased',
  'transaction.created',
  'transaction.confirmed',
  'transaction.delivered',
  'transaction.cancelled',
  'transaction.expired',
  'transaction.paid',
  'transaction.payment-reversed',
  'transaction.credited',
  'transaction.credit-note-refused',
  'default.opened',
  'default.closed',
  'payment.applied',
  'payment.reversed',
  'message.failed',
  'invoice.issued',
  'invoice.failed',
  'statement.closed',
  'statement.paid',
  'statement.returned',
] as const;

/** Types of the events of a payment provider. */
export const PROVIDER_EVENT_TYPES = [
  'deposit.applied',
  'deposit.unmatched',
  'deposit.reversed',
] as const;

/** Events about the webhook endpoints themselves, for both. The notifier makes them. */
export const ENDPOINT_EVENT_TYPES = ['endpoint.disabled', 'endpoint.test'] as const;

/** The closed list of event types. */
export const EVENT_TYPES = [
  ...WHOLESALER_EVENT_TYPES,
  ...PROVIDER_EVENT_TYPES,
  ...ENDPOINT_EVENT_TYPES,
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Who owns events and webhook endpoints. */
export const EVENT_OWNER_KINDS = ['wholesaler', 'payment-provider'] as const;

export type EventOwnerKind = (typeof EVENT_OWNER_KINDS)[number];

/** The types of the events that owners of a kind get. */
export const EVENT_TYPES_OF_OWNER: Record<EventOwnerKind, readonly EventType[]> = {
  wholesaler: [...WHOLESALER_EVENT_TYPES, ...ENDPOINT_EVENT_TYPES],
  'payment-provider': [...PROVIDER_EVENT_TYPES, ...ENDPOINT_EVENT_TYPES],
};

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
export const eventSettingsCall = defineCall<EventSettings, Pick<EventSettings, 'enabled'>>(
  '/internal/event-settings',
  EventSettings,
);
