import { Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Purpose with which the key of an issuer is sealed. */
export const ISSUER_KEY_PURPOSE = 'invoice-issuer-key';

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

  /** How its receipts say they are paid: a key of the tax authority's catalogue. */
  @Column({ name: 'receipt_payment_form', type: 'text' })
  receiptPaymentForm: string;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
