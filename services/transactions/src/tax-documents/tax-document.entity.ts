import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/**
 * What a document says of an invoice: that it was settled, or that it bills too much; an invoice that another one replaced; or
 * the lender's invoice of a commission, or its credit note, which are about no transaction. A payment complement has a row for each invoice that it settles, which triggers write; its first row has the
 * attempts of all.
 */
@Entity('tax_documents')
export class TaxDocumentRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: 'payment' | 'credit-note' | 'commission' | 'invoice';

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'statement_id', type: 'uuid', nullable: true })
  statementId: string | null;

  /** The transfer that paid the statement; null where nothing was due. */
  @Column({ name: 'payment_number', type: 'integer', nullable: true })
  paymentNumber: number | null;

  @Column({ name: 'transaction_id', type: 'uuid', nullable: true })
  transactionId: string | null;

  @Column({ name: 'invoice_id', type: 'uuid', nullable: true })
  invoiceId: string | null;

  /** The first row of its document. */
  @Column({ name: 'document_id', type: 'uuid' })
  documentId: string;

  @Column({ name: 'cents', type: 'bigint' })
  cents: number;

  /** What of it was not transferred. */
  @Column({ name: 'netted_cents', type: 'bigint' })
  nettedCents: number;

  /** `lender`: of a document of the lender that is not issued yet. */
  @Column({ name: 'provider', type: 'text' })
  provider: string;

  /** Dropped: it was taken back before the provider had it. */
  @Column({ name: 'status', type: 'text' })
  status: 'pending' | 'issued' | 'dropped';

  @Column({ name: 'cancellation', type: 'text' })
  cancellation: 'none' | 'requested' | 'accepted' | 'rejected';

  @Personal('money')
  @Column({ name: 'provider_document_id', type: 'text', nullable: true })
  providerDocumentId: string | null;

  /** The provider's name of its state. */
  @Column({ name: 'provider_status', type: 'text', nullable: true })
  providerStatus: string | null;

  /** The tax authority's id, once there is one. */
  @Personal('money')
  @Column({ name: 'uuid', type: 'text', nullable: true })
  uuid: string | null;

  @Column({ name: 'attempts', type: 'integer' })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  /** Why the newest try failed; null once a try succeeded. */
  @Personal('free-text')
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  /** Whether the provider may have a pending one: the outcome of an attempt is unknown. */
  @Column({ name: 'may_exist', type: 'boolean' })
  mayExist: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'issued_at', type: 'timestamptz', nullable: true })
  issuedAt: Date | null;
}
