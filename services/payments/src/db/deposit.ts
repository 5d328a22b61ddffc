import type { UnmatchedReason } from '../domain/match-references';

/**
 * received: not processed yet. unmatched: ops decides whose debt it pays. reversed: undone by ops,
 * from any status.
 */
export const DEPOSIT_STATUSES = ['received', 'applied', 'unmatched', 'reversed'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** A provider's notice of money, as it was sent: a row of deposits. */
export interface Deposit {
  id: string;
  paymentProviderId: string;
  providerName: string;
  /**
   * Free text that the payer typed, not necessarily one of our references; a long one is truncated.
   */
  idFactura: string;
  /** Free text, too. */
  numeroReferencia: string;
  valorCents: number;
  /** As sent, without a zone. */
  fechaPago: string;
  /** fechaPago in the provider's time zone. */
  paidAt: Date;
  claveDePago: string;
  /** SHA-256 of the five values. */
  bodyHash: Buffer;
  /** The whole body, including unknown fields and long texts in full. */
  body: string;
  status: DepositStatus;
  /** Null for a deposit that was never unmatched, or that a release without reasons stored. */
  unmatchedReason: UnmatchedReason | null;
  userId: string | null;
  /** How often ops took it away from a store again. */
  unassignments: number;
  receivedAt: Date;
}
