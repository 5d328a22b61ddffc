import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** The code of an order, and how often it was sent and checked. */
@Entity('verifications')
export class VerificationRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'status', type: 'text' })
  status: 'pending' | 'approved' | 'cancelled';

  @Column({ name: 'code_salt', type: 'bytea' })
  codeSalt: Buffer;

  @Column({ name: 'checks', type: 'integer' })
  checks: number;

  @Column({ name: 'sends', type: 'integer' })
  sends: number;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'approved_at', type: 'timestamptz', nullable: true })
  approvedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'page_code_salt', type: 'bytea', nullable: true })
  pageCodeSalt: Buffer | null;

  @Column({ name: 'page_checks', type: 'integer' })
  pageChecks: number;

  @Column({ name: 'page_wrong_codes', type: 'integer' })
  pageWrongCodes: number;

  @Column({ name: 'phone_changes', type: 'integer' })
  phoneChanges: number;
}
