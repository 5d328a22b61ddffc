import { IsOptional, IsString, isUUID, Length, MaxLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { IsArrayOf, IsMetadata } from '@fiado/shared/contracts/decorators';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { amountOf, centsOf } from '@fiado/shared/money';
import { endOfDateOrMoment, startOfDateOrMoment } from '@fiado/shared/request-dates';
import type { Context } from '../context';
import type { BatchItem } from '../domain/batch';
import { createBatch, type BatchOutcome } from '../use-cases/create-batch';
import { OrderBody } from './create-transaction';

/** Orders of one batch: their lines are locked together, so the time that takes is bounded. */
const MAX_ITEMS = 500;

export class BatchItemBody extends OrderBody {
  /** One of the wrong form rejects its item and not the batch. */
  @IsString()
  cornerStoreId: string;

  @IsOptional()
  @IsString()
  @MaxLength(40)
  movementDate?: string;

  @IsMetadata()
  metadata: object;
}

/** Body of e8. */
export class CreateBatchBody {
  @IsArrayOf(() => BatchItemBody, { min: 1, max: MAX_ITEMS })
  transactions: BatchItemBody[];

  @IsString()
  @Length(1, 100)
  driverId: string;
}

/** e8: POST /transaction/batch. Answers 200: what became of each item is in its own element. */
export function handleCreateBatch(context: Context): RequestHandler {
  return async (req, res) => {
    const { transactions, driverId } = validBody(CreateBatchBody, req);
    const items = transactions.map((item, index) => itemOf(item, index, context.config.TIME_ZONE));
    const command = { wholesalerId: callerOf(req).id, driverId, items };
    await answerOnce(context.db, req, res, {
      status: 200,
      present: (outcomes: BatchOutcome[]) => outcomes.map(presentOutcome),
      work: (keep) => createBatch(context, command, keep),
    });
  };
}

function itemOf(body: BatchItemBody, index: number, timeZone: string): BatchItem {
  const dateOf = (
    name: 'movementDate' | 'deliveryDate',
    parse: typeof startOfDateOrMoment,
  ): Date | undefined => {
    const text = body[name];
    if (text === undefined) return undefined;
    const date = parse(text, timeZone);
    if (date !== undefined) return date;
    throw new ValidationError([
      `transactions.${index}.${name} must be a real ISO 8601 date or timestamp`,
    ]);
  };
  return {
    // One of the wrong form is answered as it was sent.
    cornerStoreId: isUUID(body.cornerStoreId)
      ? body.cornerStoreId.toLowerCase()
      : body.cornerStoreId,
    amountCents: centsOf(body.totalAmount),
    wholesalerTransactionId: body.wholesalerTransactionId,
    movementDate: dateOf('movementDate', startOfDateOrMoment),
    deliveryDate: dateOf('deliveryDate', endOfDateOrMoment),
    products: body.products,
    metadata: body.metadata,
  };
}

function presentOutcome(outcome: BatchOutcome): object {
  const { row, item } = outcome;
  if (row === undefined) {
    return {
      status: 'rejected',
      rejectionReasons: outcome.reasons,
      wholesalerTransactionId: item.wholesalerTransactionId ?? null,
      cornerStoreId: item.cornerStoreId,
    };
  }
  return {
    incrementalID: row.incremental_id,
    transactionId: row.id,
    totalAmount: amountOf(row.amount_cents),
    totalAmountWithInterests: amountOf(row.amount_cents + row.interest_cents + row.iva_cents),
    status: 'accepted',
    cornerStoreId: row.corner_store_id,
  };
}
