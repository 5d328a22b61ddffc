import { Personal } from '@fiado/chassis/db/marked-columns';
import type { ConsentPurpose } from '@fiado/contracts/privacy';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A consent of a person to the privacy notice: history, which may only be withdrawn. */
@Entity('consents')
export class ConsentRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Null for a consent that came with an import. */
  @Column({ name: 'verification_id', type: 'uuid', nullable: true })
  verificationId: string | null;

  @Personal('audit')
  @Column({ name: 'notice_version', type: 'text' })
  noticeVersion: string;

  /** Where the notice stood then; null where the consent was given elsewhere. */
  @Personal('audit')
  @Column({ name: 'notice_url', type: 'text', nullable: true })
  noticeUrl: string | null;

  /** SHA-256 of the notice's file; null where the lender keeps none. */
  @Personal('audit')
  @Column({ name: 'notice_sha256', type: 'bytea', nullable: true })
  noticeSha256: Buffer | null;

  @Personal('audit')
  @Column({ name: 'purposes', type: 'text', array: true })
  purposes: ConsentPurpose[];

  @Column({ name: 'channel', type: 'text' })
  channel: 'link' | 'api' | 'ops';

  @Column({ name: 'given_at', type: 'timestamptz' })
  givenAt: Date;

  @Column({ name: 'withdrawn_at', type: 'timestamptz', nullable: true })
  withdrawnAt: Date | null;
}
