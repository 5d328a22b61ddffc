import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText, IsNonNegativeAmount } from '@fiado/contracts/decorators';
import { centsOf } from '@fiado/contracts/money';
import { IsBoolean, IsOptional } from 'class-validator';
import type { Terms } from '../domain/guarded-terms';
import { updateCornerStore } from '../use-cases/update-corner-store';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { cornerStoreChange, exampleDetails, refusedTerms } from './corner-store-details';
import { IsRate, IsTimeZoneName, rateOf } from './request-fields';

/** A reason of one or two sentences. */
const MAX_REASON = 500;

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

  /** For the second person, where one is needed. */
  @IsOptional()
  @IsNonEmptyText(MAX_REASON)
  reason?: string;

  /** Whether unusual terms are meant; false asks whether they are unusual, for a key too. */
  @IsOptional()
  @IsBoolean()
  confirmed?: boolean;
}

export const updateCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'updateCornerStore',
  route: 'PUT /v1/admin/corner-stores/:cornerStoreId',
  scope: 'approver',
  summary: 'Change the limit, the rate and the time zone of a corner store',
  description:
    'With the credential of a person, a limit that people raise by more than 25 % or 10,000 pesos in sum since ' +
    'two of them approved it (else since the import), and any other rate, waits for a second person: 202. While it ' +
    'waits another raise is a 409; a lower limit counts at once and ends it. A limit above `CREDIT_LIMIT_CEILING` (100,000 pesos) or a rate ' +
    'above 0.30 needs `confirmed`. Keys of machines need neither, but `confirmed: false` asks for the check.',
  body: UpdateCornerStoreBody,
  bodyExample: { creditLimit: 15_000 },
  mayWait: true,
  errors: ['CORNER_STORE_NOT_FOUND', 'CONFIRMATION_REQUIRED', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CONFIRMATION_REQUIRED: refusedTerms, CHANGE_ALREADY_REQUESTED: openChange },
  example: { ...exampleDetails, creditLimit: 15_000 },
  input: ({ body, id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    terms: termsOf(body),
    reason: body.reason ?? null,
    confirmed: body.confirmed,
  }),
  handle: updateCornerStore,
});

function termsOf({ creditLimit, interestRate, timeZone }: UpdateCornerStoreBody): Partial<Terms> {
  return {
    ...(creditLimit === undefined ? {} : { creditLimitCents: centsOf(creditLimit) }),
    ...(interestRate === undefined ? {} : { interestRate: rateOf(interestRate) }),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}
