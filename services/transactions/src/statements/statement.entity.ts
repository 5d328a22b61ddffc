import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A closed statement of a wholesaler. */
@Entity('statements')
export class StatementRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'number', type: 'integer' })
  number: number;

  @Column({ name: 'period_from', type: 'timestamptz' })
  periodFrom: Date;

  @Column({ name: 'period_to', type: 'timestamptz' })
  periodTo: Date;

  @Column({ name: 'status', type: 'text' })
  status: 'closed' | 'paid';

  @Column({ name: 'lines', type: 'integer' })
  lines: number;

  @Column({ name: 'gross_cents', type: 'bigint' })
  grossCents: number;

  /** Without IVA. */
  @Column({ name: 'commission_cents', type: 'bigint' })
  commissionCents: number;

  /** Whether the rate of a commission was meant without IVA or with it. */
  @Column({ name: 'commission_iva', type: 'text' })
  commissionIva: 'added' | 'included';

  /** Decimal string. */
  @Column({ name: 'iva_rate', type: 'numeric' })
  ivaRate: string;

  @Column({ name: 'commission_iva_cents', type: 'bigint' })
  commissionIvaCents: number;

  @Column({ name: 'opening_cents', type: 'bigint' })
  openingCents: number;

  @Column({ name: 'net_cents', type: 'bigint' })
  netCents: number;

  @Column({ name: 'due_cents', type: 'bigint' })
  dueCents: number;

  @Column({ name: 'sha256', type: 'bytea' })
  sha256: Buffer;

  @Column({ name: 'closed_at', type: 'timestamptz' })
  closedAt: Date;

  @Column({ name: 'version', type: 'bigint' })
  version: number;
}
