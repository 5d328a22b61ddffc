import type { CreditUseAnswer, CreditUseQuestion } from '@fiado/shared/contracts/credit-use';
import type { Context } from '../context';
import type { CustomerRow } from '../db/corner-stores.repository';
import { availableCents, shownStatus, type ShownStatus } from '../domain/corner-store';

/** A customer with what it may still buy for. */
export interface CustomerCredit {
  externalId: string;
  cornerStoreId: string;
  userId: string;
  status: ShownStatus;
  creditAvailableCents: number;
  interestRate: string;
}

/**
 * Adds their available credit to customers, with one call to transactions.
 * @throws AppError SERVICE_UNAVAILABLE while transactions cannot be asked
 */
export async function showCredit(
  { transactions }: Context,
  customers: CustomerRow[],
): Promise<CustomerCredit[]> {
  if (customers.length === 0) return [];
  const question: CreditUseQuestion = {
    cornerStoreIds: customers.map((customer) => customer.cornerStoreId),
  };
  const { lines } = await transactions.ask<CreditUseAnswer>('/internal/credit-use', question);
  const usedCents = new Map(lines.map((line) => [line.cornerStoreId, line.usedCents]));

  return customers.map(({ status, overdue, creditLimitCents, ...customer }) => ({
    ...customer,
    status: shownStatus(status, overdue),
    creditAvailableCents: availableCents(
      creditLimitCents,
      usedCents.get(customer.cornerStoreId) ?? 0,
    ),
  }));
}
