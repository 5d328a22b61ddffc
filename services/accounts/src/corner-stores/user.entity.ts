import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';
import { PURPOSE } from '../db/purposes';

/** SQL: a phone goes to transactions as it is, so it is bound to the store and not to its own row. */
const STORE_OF_USER = '(SELECT store.id FROM corner_stores store WHERE store.user_id = users.id)';

/** The owner of a corner store. */
@Entity('users')
export class UserRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Personal('identity')
  @Sealed(PURPOSE.firstName)
  @Column({ name: 'first_name', type: 'bytea', nullable: true })
  firstName: Buffer | null;

  @Personal('identity')
  @Sealed(PURPOSE.lastNames)
  @Column({ name: 'last_names', type: 'bytea', nullable: true })
  lastNames: Buffer | null;

  @Personal('identity')
  @Sealed(PURPOSE.phone, STORE_OF_USER)
  @Column({ name: 'phone', type: 'bytea', nullable: true })
  phone: Buffer | null;

  @Personal('identity', { suppress: 'randomized' })
  @Column({ name: 'phone_index', type: 'bytea' })
  phoneIndex: Buffer;

  @Personal('voluntary')
  @Sealed(PURPOSE.latitude)
  @Column({ name: 'latitude', type: 'bytea', nullable: true })
  latitude: Buffer | null;

  @Personal('voluntary')
  @Sealed(PURPOSE.longitude)
  @Column({ name: 'longitude', type: 'bytea', nullable: true })
  longitude: Buffer | null;

  @Personal('voluntary')
  @Sealed(PURPOSE.contacts)
  @Column({ name: 'contacts', type: 'bytea', nullable: true })
  contacts: Buffer | null;

  /** Who its invoices are for (TaxProfile), as JSON. */
  @Personal('identity', { block: 'wiped' })
  @Sealed(PURPOSE.taxProfile)
  @Column({ name: 'tax_profile', type: 'bytea', nullable: true })
  taxProfile: Buffer | null;

  @Personal('voluntary')
  @Column({ name: 'metadata', type: 'json', nullable: true })
  metadata: object | null;

  /** When the owner agreed to messages by WhatsApp at this number; null without consent. */
  @Column({ name: 'whatsapp_agreed_at', type: 'timestamptz', nullable: true })
  whatsappAgreedAt: Date | null;

  @Column({ name: 'whatsapp_source', type: 'text', nullable: true })
  whatsappSource: 'import' | 'page' | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  /** The wholesaler that set the phone last; null where the lender did. */
  @Column({ name: 'phone_given_by', type: 'uuid', nullable: true })
  phoneGivenBy: string | null;

  /** The wholesaler that set a phone which no code has proved yet. */
  @Column({ name: 'phone_unproven_by', type: 'uuid', nullable: true })
  phoneUnprovenBy: string | null;
}
