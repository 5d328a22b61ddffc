import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A passkey: its public part. */
@Entity('staff_credentials')
export class StaffCredentialRow {
  /** As the authenticator named it, in base64url. */
  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'staff_id', type: 'uuid' })
  staffId: string;

  @Column({ name: 'public_key', type: 'bytea' })
  publicKey: Buffer;

  /** Number of signatures, if the authenticator counts them; otherwise 0. */
  @Column({ name: 'counter', type: 'bigint' })
  counter: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
