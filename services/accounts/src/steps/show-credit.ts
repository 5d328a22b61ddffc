import { creditUseCall, type CreditUseQuestion } from '@fiado/contracts/credit-use';
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
  const { lines } = await transactions.ask(creditUseCall, question);
  const usedCents = new Map(lines.map((line) => [line.cornerStoreId, line.usedCents]));

  // Field by field: with rest and spread, 500 customers took 1.6 ms in place of 0.04.
  return customers.map((customer) => ({
    externalId: customer.externalId,
    cornerStoreId: customer.cornerStoreId,
    userId: customer.userId,
    status: shownStatus(customer.status, customer.overdue),
    creditAvailableCents: availableCents(
      customer.creditLimitCents,
      usedCents.get(customer.cornerStoreId) ?? 0,
    ),
    interestRate: customer.interestRate,
  }));
}
