import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The word against which the goods are handed over. */
@Entity({ name: 'delivery_words' })
export class DeliveryWordEntity {
  @PrimaryColumn({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  /** Sealed for the purpose 'delivery word'. */
  @Column({ name: 'word_sealed', type: 'bytea' })
  wordSealed: Buffer;

  @Column({ type: 'integer' })
  sends: number;

  @Column({ name: 'wrong_checks', type: 'integer', default: 0 })
  wrongChecks: number;

  @Column({ name: 'wrong_checks_in_all', type: 'integer', default: 0 })
  wrongChecksInAll: number;

  /** Times that the wholesaler had changed the phone when the word was sent: else it is void. */
  @Column({ name: 'phone_changes', type: 'integer', default: 0 })
  phoneChanges: number;
}
