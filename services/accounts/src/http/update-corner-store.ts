import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { IsNonNegativeAmount } from '@fiado/shared/contracts/decorators';
import { centsOf } from '@fiado/shared/money';
import { IsOptional } from 'class-validator';
import { updateCornerStore } from '../use-cases/update-corner-store';
import { cornerStoreChange, exampleDetails } from './corner-store-details';
import { IsRate, IsTimeZoneName, rateOf } from './request-fields';

class UpdateCornerStoreBody {
  @IsOptional()
  @IsNonNegativeAmount()
  creditLimit?: number;

  @IsOptional()
  @IsRate()
  interestRate?: number;

  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string;
}

export const updateCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'updateCornerStore',
  route: 'PUT /v1/admin/corner-stores/:cornerStoreId',
  scope: 'approver',
  summary: 'Change the limit, the rate and the time zone of a corner store',
  body: UpdateCornerStoreBody,
  bodyExample: { creditLimit: 15_000 },
  example: { ...exampleDetails, creditLimit: 15_000 },
  input: ({ body: { creditLimit, interestRate, timeZone }, id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    terms: {
      ...(creditLimit === undefined ? {} : { creditLimitCents: centsOf(creditLimit) }),
      ...(interestRate === undefined ? {} : { interestRate: rateOf(interestRate) }),
      ...(timeZone === undefined ? {} : { timeZone }),
    },
  }),
  handle: updateCornerStore,
});
