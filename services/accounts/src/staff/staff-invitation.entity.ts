import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A link that enrols a passkey. Of its token only the hash is kept. */
@Entity('staff_invitations')
export class StaffInvitationRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'staff_id', type: 'uuid' })
  staffId: string;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** When it was opened or cancelled. */
  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The person or key that was shown the link; null: the host. */
  @Column({ name: 'held_by', type: 'text', nullable: true })
  heldBy: string | null;

  /** The root that the link gives to a person who has none. */
  @Column({ name: 'root_id', type: 'uuid', nullable: true })
  rootId: string | null;

  /** When somebody came in by it. */
  @Column({ name: 'opened_at', type: 'timestamptz', nullable: true })
  openedAt: Date | null;
}
