import { Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Purpose with which the key of an issuer is sealed. */
export const ISSUER_KEY_PURPOSE = 'invoice-issuer-key';

/** Purpose with which the secret of its webhooks is sealed. */
export const WEBHOOK_SECRET_PURPOSE = 'invoice-webhook-secret';

/** The taxpayer that issues the invoices of a wholesaler: its own account at the provider. */
@Entity('invoice_issuers')
export class InvoiceIssuerRow {
  @PrimaryColumn({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'provider', type: 'text' })
  provider: 'facturapi';

  @Sealed(ISSUER_KEY_PURPOSE)
  @Column({ name: 'api_key_sealed', type: 'bytea' })
  apiKeySealed: Buffer;

  /** What the provider signs its webhooks with; null: none is believed. */
  @Sealed(WEBHOOK_SECRET_PURPOSE)
  @Column({ name: 'webhook_secret_sealed', type: 'bytea', nullable: true })
  webhookSecretSealed: Buffer | null;

  /** How its receipts say they are paid: a key of the tax authority's catalogue. */
  @Column({ name: 'receipt_payment_form', type: 'text' })
  receiptPaymentForm: string;

  /** Of its invoices, credit notes and payment complements; null: the one that its account at the provider sets. */
  @Column({ name: 'series', type: 'text', nullable: true })
  series: string | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
