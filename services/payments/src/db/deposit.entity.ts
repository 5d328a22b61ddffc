import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UnmatchedReason } from '../domain/match-references';

/**
 * received: not processed yet. unmatched: its references lead to no user or to several, so ops
 * decides. reversed: undone by ops, from any status.
 */
export const DEPOSIT_STATUSES = ['received', 'applied', 'unmatched', 'reversed'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** A provider's notice of money, as it was sent. */
@Entity({ name: 'deposits' })
export class DepositEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_provider_id', type: 'uuid' })
  paymentProviderId: string;

  @Column({ name: 'provider_name', type: 'text' })
  providerName: string;

  /**
   * Free text that the payer typed, not necessarily one of our references; a long one is truncated.
   */
  @Column({ name: 'id_factura', type: 'text' })
  idFactura: string;

  /** Free text, too. */
  @Column({ name: 'numero_referencia', type: 'text' })
  numeroReferencia: string;

  @Column({ name: 'valor_cents', type: 'bigint' })
  valorCents: number;

  /** As sent, without a zone. */
  @Column({ name: 'fecha_pago', type: 'text' })
  fechaPago: string;

  /** fechaPago in the provider's time zone. */
  @Column({ name: 'paid_at', type: 'timestamptz' })
  paidAt: Date;

  @Column({ name: 'clave_de_pago', type: 'text' })
  claveDePago: string;

  /** SHA-256 of the five values. */
  @Column({ name: 'body_hash', type: 'bytea' })
  bodyHash: Buffer;

  /** The whole body, including unknown fields and long texts in full. */
  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text' })
  status: DepositStatus;

  /** Null for a deposit that was never unmatched, or that a release without reasons stored. */
  @Column({ name: 'unmatched_reason', type: 'text', nullable: true })
  unmatchedReason: UnmatchedReason | null;

  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;
}
