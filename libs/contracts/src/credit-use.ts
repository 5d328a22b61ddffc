import { IsArray, IsUUID } from 'class-validator';
import { defineCall } from './define-call';

export class CreditUseQuestion {
  @IsArray()
  @IsUUID(undefined, { each: true })
  cornerStoreIds: string[];
}

/** Stores without a credit line are left out: they have used nothing. */
interface CreditUseAnswer {
  lines: Array<{ cornerStoreId: string; usedCents: number }>;
}

/** For transactions. */
export const creditUseCall = defineCall<CreditUseQuestion, CreditUseAnswer>(
  '/internal/credit-use',
  CreditUseQuestion,
);
