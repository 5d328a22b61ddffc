import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvoicedProduct } from '../domain/invoice';

export type InvoiceStatus = 'pending' | 'issued' | 'failed';

/** The invoice of a transaction: one, and for good. */
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

  /** Who issues it: the provider that was configured when it was created. */
  @Column({ type: 'text' })
  provider: string;

  @Column({ name: 'provider_invoice_id', type: 'text', nullable: true })
  providerInvoiceId: string | null;

  @Column({ name: 'failure_reason', type: 'text', nullable: true })
  failureReason: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'issued_at', type: 'timestamptz', nullable: true })
  issuedAt: Date | null;
}
