import type { Context } from '../context';
import { findCustomers } from '../db/corner-stores.repository';
import { showCredit, type CustomerCredit } from '../steps/show-credit';

/**
 * A wholesaler's customers by its own names for them, in the order asked (getCornerStores). Uses
 * one statement and one call to transactions; unknown names are left out.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function findCornerStores(
  context: Context,
  { wholesalerId, externalIds }: { wholesalerId: string; externalIds: string[] },
): Promise<CustomerCredit[]> {
  const asked = [...new Set(externalIds)];
  const customers = await findCustomers(context.db, wholesalerId, asked);
  const shown = await showCredit(context, customers);
  const byExternalId = new Map(shown.map((customer) => [customer.externalId, customer]));
  return asked.flatMap((externalId) => byExternalId.get(externalId) ?? []);
}
