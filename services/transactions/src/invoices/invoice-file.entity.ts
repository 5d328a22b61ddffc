import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import type { GrowingTable } from '@fiado/chassis/db/retention';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Purpose with which the XML of a stamped invoice is sealed. */
export const INVOICE_XML_PURPOSE = 'invoice-xml';

/** Who sells must keep its documents for five years (Código Fiscal de la Federación, art. 30). */
const YEARS_KEPT = 5;

/** XML that is older is deleted. The longest years have 366 days. */
export const INVOICE_FILES_TABLE: GrowingTable = {
  name: 'invoice_files',
  key: 'id',
  endedAt: 'stored_at',
  keepHours: YEARS_KEPT * 366 * 24,
};

/** SQL, after a time of issue: whether a document of that time still has its file. */
export const KEEPS_FILE = `> now() - interval '${YEARS_KEPT} years'`;

/** The XML of a stamped invoice: the document itself, which stays whatever becomes of its invoice and its provider. */
@Entity('invoice_files')
export class InvoiceFileRow {
  /** Of the invoice, or of the tax document. */
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  /** Null of a commission invoice. */
  @Column({ name: 'transaction_id', type: 'uuid', nullable: true })
  transactionId: string | null;

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
