import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findCustomers } from '../db/corner-stores.repository';
import { showCredit, type CustomerCredit } from '../steps/show-credit';

/**
 * A wholesaler's customer by its own name for it (getCornerStore).
 * @throws AppError CORNER_STORE_NOT_FOUND, USER_IS_IN_INTERNAL_VALIDATION, SERVICE_UNAVAILABLE
 */
export async function findCornerStore(
  context: Context,
  { wholesalerId, externalId }: { wholesalerId: string; externalId: string },
): Promise<CustomerCredit> {
  const customers = await findCustomers(context.db, wholesalerId, [externalId]);
  if (customers.length === 0) throw new AppError('CORNER_STORE_NOT_FOUND');
  if (customers[0]?.status === 'in-manual-validation') {
    throw new AppError('USER_IS_IN_INTERNAL_VALIDATION');
  }
  const [shown] = await showCredit(context, customers);
  return shown as CustomerCredit;
}
