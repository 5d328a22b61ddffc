import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link to the page “Mi cuenta” of one customer of a wholesaler. */
@Entity('account_links')
export class AccountLinkRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  /** Of the token in the link, which is kept nowhere. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** The phone that the code was sent to: a changed phone makes it void. */
  @Personal('voluntary')
  @Column({ name: 'phone_index', type: 'bytea', nullable: true })
  phoneIndex: Buffer | null;

  @Column({ name: 'code_salt', type: 'bytea', nullable: true })
  codeSalt: Buffer | null;

  @Column({ name: 'code_expires_at', type: 'timestamptz', nullable: true })
  codeExpiresAt: Date | null;

  @Column({ name: 'sends', type: 'integer' })
  sends: number;

  @Column({ name: 'checks', type: 'integer' })
  checks: number;

  @Column({ name: 'wrong_codes', type: 'integer' })
  wrongCodes: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
