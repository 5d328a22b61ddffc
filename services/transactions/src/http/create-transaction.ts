import { IsOptional, IsString, Length, MaxLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { requireId } from '@fiado/shared/chassis/http/params';
import {
  IsArrayOf,
  IsMetadata,
  IsPositiveAmount,
  IsQuantity,
} from '@fiado/shared/contracts/decorators';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { centsOf } from '@fiado/shared/money';
import { endOfDateOrMoment } from '@fiado/shared/request-dates';
import type { Context } from '../context';
import { throwCounted } from '../metrics';
import {
  createTransaction,
  type CreatedTransaction,
  type CreateTransaction,
} from '../use-cases/create-transaction';

/** Lines of one order; the spec names no limit. */
const MAX_PRODUCTS = 500;

export class ProductLineBody {
  @IsString()
  @Length(1, 100)
  externalSKU: string;

  @IsString()
  @Length(1, 200)
  name: string;

  @IsQuantity()
  quantity: number;
}

/** What e6, e7 and e8 say alike of an order. */
export class OrderBody {
  @IsPositiveAmount()
  totalAmount: number;

  @IsOptional()
  @IsString()
  @Length(1, 100)
  wholesalerTransactionId?: string;

  @IsOptional()
  @IsString()
  @MaxLength(40)
  deliveryDate?: string;

  @IsArrayOf(() => ProductLineBody, { min: 1, max: MAX_PRODUCTS })
  products: ProductLineBody[];
}

/** Body of e7. */
export class CreateTransactionBody extends OrderBody {
  @IsString()
  cornerStoreId: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

/** e7: POST /transaction. */
export function handleCreateTransaction(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(CreateTransactionBody, req);
    const command = {
      ...orderOf(body, context.config.TIME_ZONE),
      wholesalerId: callerOf(req).id,
      sendCode: 'now' as const,
    };
    await answerOnce(context.db, req, res, {
      status: 201,
      present: presentCreatedTransaction,
      location: ({ transactionId }) => `/v1/transaction/${transactionId}`,
      work: async (keep) => {
        const cornerStoreId = requireId(body.cornerStoreId, 'CORNER_STORE_NOT_FOUND');
        return createTransaction(context, { ...command, cornerStoreId }, keep);
      },
    }).catch(throwCounted('order'));
  };
}

/** The order that a body describes. */
export function orderOf(
  body: OrderBody & { metadata?: object },
  timeZone: string,
): Omit<CreateTransaction, 'cornerStoreId' | 'wholesalerId' | 'sendCode'> {
  return {
    amountCents: centsOf(body.totalAmount),
    wholesalerTransactionId: body.wholesalerTransactionId,
    deliveryDate: readDeliveryDate(body.deliveryDate, timeZone),
    products: body.products,
    metadata: body.metadata,
  };
}

/** @throws ValidationError for a text that is no date, or a date that no calendar has */
export function readDeliveryDate(text: string | undefined, timeZone: string): Date | undefined {
  if (text === undefined) return undefined;
  const date = endOfDateOrMoment(text, timeZone);
  if (date === undefined) {
    throw new ValidationError(['deliveryDate must be a real ISO 8601 date or timestamp']);
  }
  return date;
}

function presentCreatedTransaction(created: CreatedTransaction): object {
  return {
    incrementalID: created.incrementalId,
    transactionId: created.transactionId,
    verificationId: created.verificationId,
    userPhoneNumber: created.userPhoneNumber,
  };
}
