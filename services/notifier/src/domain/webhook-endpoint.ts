import type { SignatureKind } from './webhook-signature';

/** Endpoints of one owner. */
export const MAX_ENDPOINTS = 10;

/** `disabled` is our doing, `paused` the owner's. */
export const ENDPOINT_STATES = ['enabled', 'paused', 'disabled'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/**
 * Why an endpoint was disabled: it failed for days, answered 410, or asked for it with the header
 * `webhook-delivery: disable`.
 */
export const DISABLED_REASONS = ['failing', 'gone', 'asked'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface WebhookEndpoint {
  id: string;
  ownerId: string;
  url: string;
  description: string | null;
  /** Patterns of event-pattern.ts. */
  events: string[];
  ordered: boolean;
  state: EndpointState;
  disabledReason: DisabledReason | null;
  /** Failed attempts since the last success. */
  failures: number;
  failingSince: Date | null;
  createdAt: Date;
  signatures: SignatureKind[];
  /** Of its v1a signatures, where it has them. */
  publicKey: string | null;
}
