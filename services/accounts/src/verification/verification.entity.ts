import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';
import { PURPOSE } from '../db/purposes';

/** A confirmation of a phone by code. */
@Entity('verifications')
export class VerificationRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Personal('identity')
  @Sealed(PURPOSE.phone)
  @Column({ name: 'phone', type: 'bytea', nullable: true })
  phone: Buffer | null;

  @Personal('identity', { suppress: 'randomized' })
  @Column({ name: 'phone_index', type: 'bytea' })
  phoneIndex: Buffer;

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
}
