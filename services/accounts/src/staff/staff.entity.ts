import type { OpsScope } from '@fiado/contracts/caller';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** One of the lender's people. */
@Entity('staff')
export class StaffRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  /** In lower case. */
  @Column({ name: 'email', type: 'text' })
  email: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'role', type: 'text' })
  role: OpsScope;

  /** The subject at the identity provider; null: the person has not signed in there. */
  @Column({ name: 'oidc_sub', type: 'text', nullable: true })
  oidcSub: string | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Raised by each change of the person, its access or its passkey. */
  @Column({ name: 'version', type: 'bigint' })
  version: number;

  /** The person who held the link with which this one came in; null where a key of ops did, or it is not known. */
  @Column({ name: 'admitted_by', type: 'text', nullable: true })
  admittedBy: string | null;

  /** An id that all accounts of one human share; null: the person has not come in, or came in before there were roots. */
  @Column({ name: 'root_id', type: 'uuid', nullable: true })
  rootId: string | null;
}
