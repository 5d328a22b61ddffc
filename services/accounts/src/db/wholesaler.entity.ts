import type { PhoneChangeHold } from '@fiado/shared/contracts/corner-store';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('wholesalers')
export class Wholesaler {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'bigint', name: 'minimum_transaction_cents' })
  minimumTransactionCents: number;

  /** Decimal string, as the other rate. */
  @Column({ type: 'numeric', name: 'commission_rate', precision: 9, scale: 6 })
  commissionRate: string;

  @Column({ type: 'integer', name: 'payment_term_days' })
  paymentTermDays: number;

  @Column({ type: 'boolean', name: 'delivery_word_enabled' })
  deliveryWordEnabled: boolean;

  @Column({ type: 'boolean', name: 'delivery_word_required' })
  deliveryWordRequired: boolean;

  @Column({ type: 'boolean', name: 'confirmation_required' })
  confirmationRequired: boolean;

  @Column({ type: 'numeric', name: 'delivery_overage_rate', precision: 9, scale: 6 })
  deliveryOverageRate: string;

  /** Null: SMS_TO_UNKNOWN_PER_DAY. */
  @Column({ type: 'integer', name: 'sms_to_unknown_per_day', nullable: true })
  smsToUnknownPerDay: number | null;

  @Column({ type: 'text', name: 'phone_change_hold' })
  phoneChangeHold: PhoneChangeHold;

  @Column({ type: 'boolean', name: 'batch_enabled' })
  batchEnabled: boolean;

  /** 0 is no limit. */
  @Column({ type: 'integer', name: 'batch_items_per_day' })
  batchItemsPerDay: number;

  @Column({ type: 'bigint', default: 1 })
  version: number;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
