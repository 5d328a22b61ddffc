import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A session of a person of the lender. Of its token only the hash is kept. */
@Entity('staff_sessions')
export class StaffSessionRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'staff_id', type: 'uuid' })
  staffId: string;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** When the person proved who it is. */
  @Column({ name: 'auth_time', type: 'timestamptz' })
  authTime: Date;

  /** Put off by each use. */
  @Column({ name: 'idle_until', type: 'timestamptz' })
  idleUntil: Date;

  @Column({ name: 'ends_at', type: 'timestamptz' })
  endsAt: Date;

  /** Null while nobody has ended it; it may be over by its times. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt: Date | null;

  /** As the console reported it. */
  @Column({ name: 'address', type: 'text', nullable: true })
  address: string | null;

  /** As the browser reported it. */
  @Column({ name: 'agent', type: 'text', nullable: true })
  agent: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
