import type { Sealer } from '@fiado/chassis/sealing';
import type { NewCustomerRow } from '../db/customers.repository';
import type { NewCustomer } from '../domain/import-plan';
import { PURPOSE } from '../domain/sealing-purposes';

/** A new customer as its rows hold it: what is personal is sealed. */
export function sealedCustomer(sealer: Sealer, customer: NewCustomer): NewCustomerRow {
  const { phone, firstName, lastNames, ...plain } = customer;
  return {
    ...plain,
    firstName: sealer.seal(firstName, PURPOSE.firstName, plain.userId),
    lastNames: sealer.seal(lastNames, PURPOSE.lastNames, plain.userId),
    phone: sealer.seal(phone, PURPOSE.phone, plain.cornerStoreId),
    phoneIndex: sealer.blindIndex(phone, PURPOSE.phone),
  };
}
