import { Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';
import { PURPOSE } from '../db/purposes';

/** A provider that collects payments of stores and reports them. */
@Entity('payment_providers')
export class PaymentProviderRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  /** IANA name of the zone that its times without an offset belong to. */
  @Column({ name: 'time_zone', type: 'text' })
  timeZone: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Addresses and networks (CIDR) that may call with its keys; empty is any. */
  @Column({ name: 'allowed_addresses', type: 'text', array: true })
  allowedAddresses: string[];

  @Column({ name: 'signature_required', type: 'boolean' })
  signatureRequired: boolean;

  @Sealed(PURPOSE.signingSecret)
  @Column({ name: 'signing_secret', type: 'bytea', nullable: true })
  signingSecret: Buffer | null;

  @Sealed(PURPOSE.signingSecret)
  @Column({ name: 'previous_signing_secret', type: 'bytea', nullable: true })
  previousSigningSecret: Buffer | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', nullable: true })
  previousSecretUntil: Date | null;

  @Column({ name: 'version', type: 'bigint' })
  version: number;
}
