import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';
import type { UnmatchedReason } from './deposit.rules';

/** A provider's notice of money, as it was sent. */
@Entity('deposits')
export class DepositRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'payment_provider_id', type: 'uuid' })
  paymentProviderId: string;

  @Column({ name: 'provider_name', type: 'text' })
  providerName: string;

  /** Free text that the payer typed, not necessarily one of our references; a long one is cut. */
  @Personal('payer-text')
  @Column({ name: 'id_factura', type: 'text' })
  idFactura: string;

  /** Free text, too. */
  @Personal('payer-text')
  @Column({ name: 'numero_referencia', type: 'text' })
  numeroReferencia: string;

  @Column({ name: 'valor_cents', type: 'bigint' })
  valorCents: number;

  /** As sent, without a zone. */
  @Personal('payer-text')
  @Column({ name: 'fecha_pago', type: 'text' })
  fechaPago: string;

  /** `fechaPago` in the provider’s time zone. */
  @Column({ name: 'paid_at', type: 'timestamptz' })
  paidAt: Date;

  @Personal('payer-text', { suppress: 'renamed' })
  @Column({ name: 'clave_de_pago', type: 'text' })
  claveDePago: string;

  /** The whole body, including unknown fields and long texts in full. */
  @Personal('payer-text')
  @Column({ name: 'body', type: 'text' })
  body: string;

  /** SHA-256 of the five values. */
  @Personal('payer-text', { suppress: 'kept' })
  @Column({ name: 'body_hash', type: 'bytea' })
  bodyHash: Buffer;

  @Column({ name: 'status', type: 'text' })
  status: 'received' | 'applied' | 'unmatched' | 'reversed';

  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;

  /** Null for a deposit that was never unmatched, or that a release without reasons stored. */
  @Column({ name: 'unmatched_reason', type: 'text', nullable: true })
  unmatchedReason: UnmatchedReason | null;

  /** How often ops took it away from a store again. */
  @Column({ name: 'unassignments', type: 'integer' })
  unassignments: number;

  /** Attempts at applying it; one that is running counts. */
  @Column({ name: 'attempts', type: 'integer' })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  @Column({ name: 'dead_at', type: 'timestamptz', nullable: true })
  deadAt: Date | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId: string | null;

  @Column({ name: 'traceparent', type: 'text', nullable: true })
  traceparent: string | null;

  /** It was stored while keys were compared byte for byte, and an earlier one has its key. */
  @Column({ name: 'key_collides', type: 'boolean', nullable: true })
  keyCollides: boolean | null;

  /** Whether its provider signed it. */
  @Column({ name: 'is_signed', type: 'boolean' })
  isSigned: boolean;

  /** An earlier deposit of its provider, day, amount and references. */
  @Column({ name: 'possible_duplicate_of', type: 'uuid', nullable: true })
  possibleDuplicateOf: string | null;
}
