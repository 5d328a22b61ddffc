import { Column, DataSource, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** As in Fiado, so that both may have as many statements at a time. */
const POOL_SIZE = 12;

@Entity({ name: 'corner_stores' })
export class CornerStore {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  phone: string;

  @Column({ name: 'limit_cents', type: 'bigint' })
  limitCents: string;

  @Column({ name: 'used_cents', type: 'bigint' })
  usedCents: string;
}

@Entity({ name: 'orders' })
export class Order {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'wholesaler_transaction_id', type: 'text', unique: true })
  wholesalerTransactionId: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents: number;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'jsonb', nullable: true })
  metadata: object | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}

@Entity({ name: 'product_lines' })
export class ProductLine {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ name: 'order_id', type: 'bigint' })
  orderId: string;

  @Column({ type: 'text' })
  sku: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'int' })
  quantity: number;
}

@Entity({ name: 'codes' })
export class Code {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ name: 'order_id', type: 'bigint' })
  orderId: string;

  @Column({ name: 'code_hash', type: 'text' })
  codeHash: string;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;
}

@Entity({ name: 'messages' })
export class Message {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ name: 'order_id', type: 'bigint' })
  orderId: string;

  @Column({ type: 'text' })
  sid: string;

  @Column({ name: 'sent_at', type: 'timestamptz', default: () => 'now()' })
  sentAt: Date;
}

/** Connects to a database of the textbook system, and makes its tables where they are missing. */
export async function openTextbookDatabase(url: string): Promise<DataSource> {
  const db = new DataSource({
    type: 'postgres',
    url,
    entities: [CornerStore, Order, ProductLine, Code, Message],
    synchronize: true,
    extra: { max: POOL_SIZE },
  });
  return db.initialize();
}
