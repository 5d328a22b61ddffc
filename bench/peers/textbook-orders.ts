import 'reflect-metadata';
import { createHash, randomInt } from 'node:crypto';
import { Queue } from 'bullmq';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsNumber,
  IsUUID,
  Min,
  validate,
  ValidateNested,
} from 'class-validator';
import express, { type Request, type Response } from 'express';
import { Redis } from 'ioredis';
import type { DataSource, EntityManager } from 'typeorm';
import { Code, CornerStore, openTextbookDatabase, Order, ProductLine } from './textbook-tables';

/**
 * The orders of the textbook system: one Express service with TypeORM. It saves its entities in a
 * database transaction under a lock of the store's row, and adds the job of the SMS after the commit.
 * It has a check of the body and of one key, and nothing else that Fiado has: no outbox, no
 * idempotency, no ledger, no encryption, no limit of requests, no log line, no metrics.
 */
const CODE_LIFE_MS = 600_000;

interface Textbook {
  db: DataSource;
  queue: Queue;
  apiKey: string;
}

interface Created {
  orderId: string;
  phone: string;
}

class ProductBody {
  @IsString()
  externalSKU: string;

  @IsString()
  name: string;

  @IsInt()
  @Min(1)
  quantity: number;
}

class OrderBody {
  @IsUUID()
  cornerStoreId: string;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0.01)
  totalAmount: number;

  @IsString()
  wholesalerTransactionId: string;

  @ArrayNotEmpty()
  @ValidateNested({ each: true })
  @Type(() => ProductBody)
  products: ProductBody[];

  @IsOptional()
  @IsObject()
  metadata?: object;
}

/** Locks the store, saves all rows, and returns nothing when the store may not buy. */
async function saveOrder(
  manager: EntityManager,
  body: OrderBody,
  code: string,
): Promise<Created | undefined> {
  const amountCents = Math.round(body.totalAmount * 100);
  const store = await manager.findOne(CornerStore, {
    where: { id: body.cornerStoreId },
    lock: { mode: 'pessimistic_write' },
  });
  if (store === null) return undefined;
  const used = Number(store.usedCents) + amountCents;
  if (used > Number(store.limitCents)) return undefined;
  store.usedCents = String(used);
  await manager.save(store);
  const order = await manager.save(
    manager.create(Order, {
      cornerStoreId: store.id,
      wholesalerTransactionId: body.wholesalerTransactionId,
      amountCents,
      status: 'pending-verification',
      metadata: body.metadata ?? null,
    }),
  );
  const lines = body.products.map(({ externalSKU: sku, name, quantity }) =>
    manager.create(ProductLine, { orderId: order.id, sku, name, quantity }),
  );
  await manager.save(lines);
  await manager.save(
    manager.create(Code, {
      orderId: order.id,
      codeHash: createHash('sha256').update(code).digest('hex'),
      expiresAt: new Date(Date.now() + CODE_LIFE_MS),
    }),
  );
  return { orderId: order.id, phone: store.phone };
}

async function createOrder({ db, queue }: Textbook, body: OrderBody): Promise<Created | undefined> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const created = await db.transaction((manager) => saveOrder(manager, body, code));
  if (created === undefined) return undefined;
  const text = `${code} es tu clave para confirmar tu pedido. No la compartas con nadie.`;
  await queue.add('sms', { orderId: created.orderId, to: created.phone, text });
  return created;
}

async function answerOrder(textbook: Textbook, req: Request, res: Response): Promise<void> {
  if (req.headers.authorization !== textbook.apiKey) {
    res.status(401).json({ errorCode: 'UNAUTHORIZED' });
    return;
  }
  const body = plainToInstance(OrderBody, req.body);
  const problems = await validate(body);
  if (problems.length > 0) {
    res.status(400).json({ message: problems.map(String) });
    return;
  }
  const created = await createOrder(textbook, body);
  if (created === undefined) res.status(422).json({ errorCode: 'CREDIT_LIMIT_EXCEEDED' });
  else res.status(201).json({ transactionId: created.orderId, phone: created.phone.slice(-4) });
}

async function main(): Promise<void> {
  const [databaseUrl = '', redisUrl = '', port = '', apiKey = ''] = process.argv.slice(2);
  const db = await openTextbookDatabase(databaseUrl);
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const defaultJobOptions = { removeOnComplete: true };
  const queue = new Queue('textbook-sms', { connection, defaultJobOptions });
  const textbook = { db, queue, apiKey };

  const app = express();
  app.disable('x-powered-by');
  app.use(express.json());
  app.post('/v1/transaction', (req, res, next) => void answerOrder(textbook, req, res).catch(next));
  app.listen(Number(port), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

void main();
