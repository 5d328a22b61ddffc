import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A code sent to a phone. Its states are moved by @fiado/shared/verification. */
@Entity('verifications')
export class Verification {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  /** Who began it: others neither see nor use it. */
  @Column({ type: 'uuid', name: 'wholesaler_id' })
  wholesalerId: string;

  /** The phone that the code went to, sealed as users.phone is. */
  @Column({ type: 'bytea' })
  phone: Buffer;

  @Column({ type: 'bytea', name: 'phone_index' })
  phoneIndex: Buffer;

  @Column({ type: 'text' })
  status: 'pending' | 'approved' | 'cancelled';

  @Column({ type: 'bytea', name: 'code_salt' })
  codeSalt: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt: Date;
}
