import { amountOf } from '@fiado/shared/money';
import type { CustomerCredit } from '../use-cases/show-credit';

/** The corner store of spec e16. */
export function presentCornerStore(customer: CustomerCredit): object {
  return {
    userId: customer.userId,
    cornerStoreId: customer.cornerStoreId,
    status: customer.status,
    creditLimitAvailable: amountOf(customer.creditAvailableCents),
  };
}

/** The corner store of spec e15: two fields more. */
export function presentCornerStoreOfBatch(customer: CustomerCredit): object {
  return {
    ...presentCornerStore(customer),
    interestRate: Number(customer.interestRate),
    externalId: customer.externalId,
  };
}
