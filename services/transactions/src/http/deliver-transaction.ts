import {
  Equals,
  IsLatitude,
  IsLongitude,
  IsNumber,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import type { Request, RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import { IsPositiveAmount } from '@fiado/shared/contracts/decorators';
import { AppError } from '@fiado/shared/contracts/errors';
import { centsOf } from '@fiado/shared/money';
import type { Context } from '../context';
import { deliverTransaction, type DeliverTransaction } from '../use-cases/deliver-transaction';
import { requireOnHold } from '../use-cases/require-on-hold';

/** Body of e10. */
export class DeliverTransactionBody {
  @Equals('delivery', { message: 'status must be delivery' })
  status: string;

  @IsPositiveAmount()
  transactionAmount: number;

  @IsOptional()
  @IsString()
  @MaxLength(50)
  deliveryWord?: string;

  @IsOptional()
  @IsNumber()
  @IsLatitude()
  latitude?: number;

  @IsOptional()
  @IsNumber()
  @IsLongitude()
  longitude?: number;

  @IsOptional()
  @IsString()
  @MaxLength(500)
  description?: string;
}

/** e10: PUT /transaction/{transactionId}. Its checks: 404, not on hold, amount missing, body. */
export function handleDeliverTransaction(context: Context): RequestHandler {
  return async (req, res) => {
    const ids = {
      wholesalerId: callerOf(req).id,
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
    };
    await answerOnce(context.db, req, res, {
      status: 200,
      present: () => ({ success: true }),
      work: async (keep) => {
        await requireOnHold(context, ids);
        requireAmount(req);
        const body = validBody(DeliverTransactionBody, req);
        await deliverTransaction(context, { ...ids, ...deliveryOf(body) }, keep);
      },
    });
  };
}

function requireAmount(req: Request): void {
  const body: unknown = req.body;
  const amount =
    typeof body === 'object' && body !== null && 'transactionAmount' in body
      ? body.transactionAmount
      : undefined;
  if (amount === undefined || amount === null) throw new AppError('TRANSACTION_AMOUNT_NOT_FOUND');
}

function deliveryOf({
  transactionAmount,
  deliveryWord,
  latitude,
  longitude,
  description,
}: DeliverTransactionBody): Pick<DeliverTransaction, 'amountCents' | 'deliveryWord' | 'location'> {
  const location = {
    ...(latitude === undefined ? {} : { latitude }),
    ...(longitude === undefined ? {} : { longitude }),
    ...(description === undefined ? {} : { description }),
  };
  return {
    amountCents: centsOf(transactionAmount),
    deliveryWord,
    location: Object.keys(location).length === 0 ? undefined : location,
  };
}
