import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's reference for payments, and the money that user paid beyond all debt. */
@Entity({ name: 'credit_balances' })
export class CreditBalanceEntity {
  @PrimaryColumn({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'numero_referencia', type: 'text' })
  numeroReferencia: string;

  @Column({ name: 'balance_cents', type: 'bigint' })
  balanceCents: number;

  /** Counts the entries of its ledger. */
  @Column({ type: 'bigint' })
  version: number;
}
