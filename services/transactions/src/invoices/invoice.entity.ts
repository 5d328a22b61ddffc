import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An invoice of an order, which a provider issues. */
@Entity('invoices')
export class InvoiceRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'discount_cents', type: 'bigint' })
  discountCents: number;

  @Personal('money')
  @Column({ name: 'products', type: 'json' })
  products: object;

  @Column({ name: 'status', type: 'text' })
  status: string;

  @Column({ name: 'provider', type: 'text' })
  provider: string;

  @Personal('money')
  @Column({ name: 'provider_invoice_id', type: 'text', nullable: true })
  providerInvoiceId: string | null;

  @Personal('free-text')
  @Column({ name: 'failure_reason', type: 'text', nullable: true })
  failureReason: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'issued_at', type: 'timestamptz', nullable: true })
  issuedAt: Date | null;

  @Column({ name: 'attempts', type: 'integer' })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  @Personal('free-text')
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  @Column({ name: 'provider_status', type: 'text', nullable: true })
  providerStatus: string | null;

  @Personal('money')
  @Column({ name: 'self_invoice_url', type: 'text', nullable: true })
  selfInvoiceUrl: string | null;

  @Personal('money')
  @Column({ name: 'uuid', type: 'text', nullable: true })
  uuid: string | null;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;
}
