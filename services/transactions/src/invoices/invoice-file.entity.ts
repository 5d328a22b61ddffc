import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Purpose with which the XML of a stamped invoice is sealed. */
export const INVOICE_XML_PURPOSE = 'invoice-xml';

/** The XML of a stamped invoice: the document itself, which stays whatever becomes of its invoice and its provider. */
@Entity('invoice_files')
export class InvoiceFileRow {
  /** Of the invoice. */
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  /** The tax authority's id. */
  @Personal('money')
  @Column({ name: 'uuid', type: 'text' })
  uuid: string;

  @Personal('money')
  @Sealed(INVOICE_XML_PURPOSE)
  @Column({ name: 'xml_sealed', type: 'bytea' })
  xmlSealed: Buffer;

  /** Of the XML. */
  @Personal('money')
  @Column({ name: 'sha256', type: 'bytea' })
  sha256: Buffer;

  @Column({ name: 'stored_at', type: 'timestamptz' })
  storedAt: Date;
}
