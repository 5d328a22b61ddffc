import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvoicedProduct } from '../domain/invoice';

export const INVOICE_STATUSES = ['pending', 'issued', 'failed'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** The invoice of a transaction: one, which is replaced only when it failed. */
@Entity({ name: 'invoices' })
export class InvoiceEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'discount_cents', type: 'bigint' })
  discountCents: number;

  @Column({ type: 'json' })
  products: InvoicedProduct[];

  @Column({ type: 'text' })
  status: InvoiceStatus;

  /** The invoice provider that was configured when it was created. */
  @Column({ type: 'text' })
  provider: string;

  @Column({ name: 'provider_invoice_id', type: 'text', nullable: true })
  providerInvoiceId: string | null;

  @Column({ name: 'failure_reason', type: 'text', nullable: true })
  failureReason: string | null;

  /** Attempts to issue it, or to look up its state at the provider. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', default: () => 'now()' })
  nextAttemptAt: Date;

  /** Why the newest try failed; null once a try succeeded. */
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  /** The provider's name of its state. */
  @Column({ name: 'provider_status', type: 'text', nullable: true })
  providerStatus: string | null;

  /** The tax authority's id, once there is one. */
  @Column({ type: 'text', nullable: true })
  uuid: string | null;

  /** Where the customer turns a receipt into an invoice of its own. */
  @Column({ name: 'self_invoice_url', type: 'text', nullable: true })
  selfInvoiceUrl: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'issued_at', type: 'timestamptz', nullable: true })
  issuedAt: Date | null;
}
