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
}
