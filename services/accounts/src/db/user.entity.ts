import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A corner store's owner. Every bytea but the index is sealed for the purpose of its column. */
@Entity('users')
export class User {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'bytea', name: 'first_name' })
  firstName: Buffer;

  @Column({ type: 'bytea', name: 'last_names' })
  lastNames: Buffer;

  @Column({ type: 'bytea' })
  phone: Buffer;

  /** Blind index of the phone: finds a user by phone, and keeps one user for each. */
  @Column({ type: 'bytea', name: 'phone_index' })
  phoneIndex: Buffer;

  @Column({ type: 'bytea', nullable: true })
  latitude: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  longitude: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  contacts: Buffer | null;

  @Column({ type: 'json', nullable: true })
  metadata: object | null;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
