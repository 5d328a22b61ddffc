import type { PhoneChangeHold, SettlementEvery } from '@fiado/contracts/corner-store';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A wholesaler and its settings. */
@Entity('wholesalers')
export class WholesalerRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'minimum_transaction_cents', type: 'bigint' })
  minimumTransactionCents: number;

  @Column({ name: 'commission_rate', type: 'numeric' })
  commissionRate: string;

  @Column({ name: 'payment_term_days', type: 'integer' })
  paymentTermDays: number;

  @Column({ name: 'delivery_word_enabled', type: 'boolean' })
  deliveryWordEnabled: boolean;

  @Column({ name: 'delivery_word_required', type: 'boolean' })
  deliveryWordRequired: boolean;

  @Column({ name: 'confirmation_required', type: 'boolean' })
  confirmationRequired: boolean;

  @Column({ name: 'delivery_overage_rate', type: 'numeric' })
  deliveryOverageRate: string;

  @Column({ name: 'version', type: 'bigint' })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'sms_to_unknown_per_day', type: 'integer', nullable: true })
  smsToUnknownPerDay: number | null;

  @Column({ name: 'phone_change_hold', type: 'text' })
  phoneChangeHold: PhoneChangeHold;

  @Column({ name: 'batch_enabled', type: 'boolean' })
  batchEnabled: boolean;

  @Column({ name: 'batch_items_per_day', type: 'integer' })
  batchItemsPerDay: number;

  @Column({ name: 'batch_cents_per_day', type: 'bigint' })
  batchCentsPerDay: number;

  @Column({ name: 'hold_unproven_days', type: 'integer' })
  holdUnprovenDays: number;

  @Column({ name: 'settlement_every', type: 'text' })
  settlementEvery: SettlementEvery;
}
