import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A visit to the page “Mi cuenta” by number and code. */
@Entity('account_visits')
export class AccountVisitRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Personal('transient')
  @Column({ name: 'phone_index', type: 'bytea' })
  phoneIndex: Buffer;

  @Personal('transient')
  @Column({ name: 'phone_masked', type: 'text' })
  phoneMasked: string;

  @Personal('transient')
  @Column({ name: 'address_index', type: 'bytea' })
  addressIndex: Buffer;

  @Column({ name: 'code_salt', type: 'bytea' })
  codeSalt: Buffer;

  @Column({ name: 'code_expires_at', type: 'timestamptz' })
  codeExpiresAt: Date;

  @Column({ name: 'sends', type: 'integer' })
  sends: number;

  @Column({ name: 'checks', type: 'integer' })
  checks: number;

  @Column({ name: 'proved_at', type: 'timestamptz', nullable: true })
  provedAt: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'wrong_codes', type: 'integer' })
  wrongCodes: number;
}
