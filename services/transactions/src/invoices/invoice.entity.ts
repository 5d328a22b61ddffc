import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import type { CancelMotive, DocumentKind, InvoicedProduct, RECEIVERS } from './invoice.rules';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Purpose with which the receiver of an invoice is sealed. */
export const RECEIVER_PURPOSE = 'invoice-receiver';

/** The invoice of an order: one, which is replaced when it failed, and when its order shrank. */
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
  products: InvoicedProduct[];

  @Column({ name: 'status', type: 'text' })
  status: 'pending' | 'issued' | 'failed';

  /** The invoice provider that was configured when it was created. */
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

  /** Attempts to issue it, or to look up its state at the provider. */
  @Column({ name: 'attempts', type: 'integer' })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  /** Why the newest try failed; null once a try succeeded. */
  @Personal('free-text')
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  /** The provider's name of its state. */
  @Column({ name: 'provider_status', type: 'text', nullable: true })
  providerStatus: string | null;

  /** Where the customer turns a receipt into an invoice of its own. */
  @Personal('money')
  @Column({ name: 'self_invoice_url', type: 'text', nullable: true })
  selfInvoiceUrl: string | null;

  /** The tax authority's id, once there is one. */
  @Personal('money')
  @Column({ name: 'uuid', type: 'text', nullable: true })
  uuid: string | null;

  /** State of the cancellation of an issued invoice: its order ended or shrank, or a person asked for it. */
  @Column({ name: 'cancellation', type: 'text' })
  cancellation: 'none' | 'requested' | 'accepted' | 'rejected' | 'expired';

  /** Why a person asked for its cancellation (c_Motivo); null where its order did. */
  @Column({ name: 'cancel_motive', type: 'text', nullable: true })
  cancelMotive: CancelMotive | null;

  /** The invoice that takes its place, of the motive 01. */
  @Personal('money')
  @Column({ name: 'substitution_uuid', type: 'text', nullable: true })
  substitutionUuid: string | null;

  /** Whether the provider may have a pending one: the outcome of an attempt is unknown. */
  @Column({ name: 'may_exist', type: 'boolean' })
  mayExist: boolean;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  /** Whether its wholesaler's own issuer issues it, and not the key of the settings. */
  @Column({ name: 'has_own_issuer', type: 'boolean' })
  hasOwnIssuer: boolean;

  /** Who the wholesaler wants it for; null: the store's tax profile, where it has one. */
  @Column({ name: 'receiver', type: 'text', nullable: true })
  receiver: (typeof RECEIVERS)[number] | null;

  /** What the provider is asked for; null before the first attempt, and of one before there were invoices. */
  @Column({ name: 'kind', type: 'text', nullable: true })
  kind: DocumentKind | null;

  /** The tax profile in whose name it is, as JSON: the same at each attempt. */
  @Personal('identity')
  @Sealed(RECEIVER_PURPOSE)
  @Column({ name: 'receiver_sealed', type: 'bytea', nullable: true })
  receiverSealed: Buffer | null;
}
