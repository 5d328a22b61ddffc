import { IsArray, IsUUID } from 'class-validator';

/** POST /internal/credit-use of transactions: what accounts asks for a lookup. */
export class CreditUseQuestion {
  @IsArray()
  @IsUUID(undefined, { each: true })
  cornerStoreIds: string[];
}

/** Stores without a credit line are left out: they have used nothing. */
export interface CreditUseAnswer {
  lines: Array<{ cornerStoreId: string; usedCents: number }>;
}
