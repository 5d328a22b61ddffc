import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import { IsNonNegativeAmount } from '@fiado/shared/contracts/decorators';
import { centsOf } from '@fiado/shared/money';
import { IsOptional } from 'class-validator';
import type { Context } from '../context';
import { updateCornerStore } from '../use-cases/update-corner-store';
import { presentCornerStoreDetails } from './present-corner-store-details';
import { IsRate, rateOf } from './request-fields';

export class UpdateCornerStoreBody {
  @IsOptional()
  @IsNonNegativeAmount()
  creditLimit?: number;

  @IsOptional()
  @IsRate()
  interestRate?: number;
}

/** PUT /v1/admin/corner-stores/:cornerStoreId. */
export function handleUpdateCornerStore(context: Context): RequestHandler {
  return async (req, res) => {
    const { creditLimit, interestRate } = validBody(UpdateCornerStoreBody, req, 'refuse');
    const store = await updateCornerStore(context, {
      by: callerOf(req),
      cornerStoreId: idParam(req, 'cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
      terms: {
        ...(creditLimit === undefined ? {} : { creditLimitCents: centsOf(creditLimit) }),
        ...(interestRate === undefined ? {} : { interestRate: rateOf(interestRate) }),
      },
    });
    res.json(presentCornerStoreDetails(context, store));
  };
}
