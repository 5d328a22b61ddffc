import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** In whose name the commission invoices of a wholesaler are. */
@Entity('wholesaler_tax_profiles')
export class WholesalerTaxProfileRow {
  @PrimaryColumn({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'rfc', type: 'text' })
  rfc: string;

  @Column({ name: 'legal_name', type: 'text' })
  legalName: string;

  @Column({ name: 'tax_regime', type: 'text' })
  taxRegime: string;

  @Column({ name: 'postal_code', type: 'text' })
  postalCode: string;

  @Column({ name: 'cfdi_use', type: 'text' })
  cfdiUse: string;

  @Column({ name: 'email', type: 'text', nullable: true })
  email: string | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
