import { AreIds } from './decorators';
import { defineCall } from './define';

export class CustomerNamesQuestion {
  @AreIds()
  cornerStoreIds: string[];

  /** Wholesalers whose own ids of the stores are asked for, beside their names. */
  @AreIds()
  wholesalerIds: string[];
}

export interface CustomerNamesAnswer {
  /** By id, without blocked stores; empty of one whose data were erased. */
  cornerStores: Record<string, string>;
  /** Without those of blocked stores. */
  customers: Array<{ wholesalerId: string; cornerStoreId: string; externalId: string }>;
  /** By id. */
  wholesalers: Record<string, string>;
}

/** For accounts: the names in files for people. */
export const customerNamesCall = defineCall<CustomerNamesAnswer>()(
  '/internal/customer-names',
  CustomerNamesQuestion,
);
