import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('payment_providers')
export class PaymentProvider {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** IANA name of the zone that its times without an offset belong to. */
  @Column({ type: 'text', name: 'time_zone' })
  timeZone: string;

  /** Addresses and networks (CIDR) that may call with its keys; empty is any. */
  @Column({ type: 'text', name: 'allowed_addresses', array: true })
  allowedAddresses: string[];

  @Column({ type: 'boolean', name: 'signature_required' })
  signatureRequired: boolean;

  /** Sealed, as is the one before it, which is valid until its time. */
  @Column({ type: 'bytea', name: 'signing_secret', nullable: true })
  signingSecret: Buffer | null;

  @Column({ type: 'bytea', name: 'previous_signing_secret', nullable: true })
  previousSigningSecret: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_until', nullable: true })
  previousSecretUntil: Date | null;
}

/** What ops may change of a payment provider. */
export type ProviderSettings = Pick<
  PaymentProvider,
  'timeZone' | 'allowedAddresses' | 'signatureRequired'
>;
