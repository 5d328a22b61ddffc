import { IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { textParam } from '@fiado/shared/chassis/http/params';
import { IsMetadata } from '@fiado/shared/contracts/decorators';
import type { Context } from '../context';
import { throwCounted } from '../metrics';
import { createLink } from '../use-cases/create-link';
import type { CreatedTransaction } from '../use-cases/create-transaction';
import { OrderBody, orderOf } from './create-transaction';

export class LinkedOrderBody extends OrderBody {
  @IsOptional()
  @IsString()
  cornerStoreId?: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

/** Body of e6. */
export class CreateLinkBody {
  @IsObject()
  @ValidateNested()
  @Type(() => LinkedOrderBody)
  transaction: LinkedOrderBody;
}

/** e6: POST /link/external/{externalId}. The link ends with the transaction's id. */
export function handleCreateLink(context: Context): RequestHandler {
  const { TIME_ZONE, PUBLIC_URL } = context.config;
  return async (req, res) => {
    const { transaction } = validBody(CreateLinkBody, req);
    const command = {
      ...orderOf(transaction, TIME_ZONE),
      wholesalerId: callerOf(req).id,
      externalId: textParam(req, 'externalId'),
      cornerStoreId: transaction.cornerStoreId?.toLowerCase(),
    };
    await answerOnce(context.db, req, res, {
      status: 201,
      present: ({ transactionId }: CreatedTransaction) => ({
        link: `${PUBLIC_URL}/pedido/${transactionId}`,
        transactionId,
      }),
      work: (keep) => createLink(context, command, keep),
    }).catch(throwCounted('link'));
  };
}
