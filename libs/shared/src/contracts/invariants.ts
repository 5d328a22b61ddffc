import { IsOptional, IsUUID } from 'class-validator';
import { IsIntegerText } from './decorators';
import { pageOf } from './page';

/** One invariant of a service, as in GET /v1/admin/invariants/{service}. */
export interface InvariantCheck {
  /** What holds, as a fact: 'credit_entries sum up to used_cents'. */
  name: string;
  holds: boolean;
  /** The rows at fault, the first few: ids and sums, never personal data. */
  violations: object[];
}

/** Rows at fault that a check names at most. */
export const MAX_VIOLATIONS = 20;

export interface InvariantReport {
  service: 'accounts' | 'transactions' | 'payments' | 'notifier';
  checks: InvariantCheck[];
}

const DEFAULT_SUMS = 500;
/** Some 150 kB of JSON. */
const MAX_SUMS = 1000;

/** Query of GET /v1/admin/invariants/{service}/corner-stores: pages in the order of the ids. */
export class CornerStoreSumsQuery {
  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsUUID()
  cursor?: string;

  @IsIntegerText(1, MAX_SUMS)
  limit = DEFAULT_SUMS;
}

export interface CornerStoreSumsPage<Sums extends { cornerStoreId: string }> {
  cornerStores: Sums[];
  nextCursor: string | null;
}

/** @param found up to limit + 1 corner stores: one more shows whether another page follows */
export function cornerStoreSumsPage<Sums extends { cornerStoreId: string }>(
  found: Sums[],
  limit: number,
): CornerStoreSumsPage<Sums> {
  const { page, nextCursor } = pageOf(found, limit, ({ cornerStoreId }) => cornerStoreId);
  return { cornerStores: page, nextCursor };
}

/**
 * SQL of customersDigest: the wholesalers that have the corner store as a customer, each with its
 * external id. Of rows `customer` of one corner store, alike in accounts and transactions.
 */
export const CUSTOMERS_DIGEST = `
  md5(coalesce(string_agg(customer.wholesaler_id || ' ' || customer.external_id, ','
                          ORDER BY customer.wholesaler_id), ''))`;

/** SQL of settingsDigest: the settings of these wholesalers, in rows `wholesaler` joined to them. */
export const SETTINGS_DIGEST = `
  md5(coalesce(string_agg(
    concat_ws(' ', customer.wholesaler_id, wholesaler.name, wholesaler.minimum_transaction_cents,
              trim_scale(wholesaler.commission_rate), wholesaler.payment_term_days,
              wholesaler.delivery_word_enabled, wholesaler.delivery_word_required,
              wholesaler.confirmation_required, trim_scale(wholesaler.delivery_overage_rate),
              wholesaler.batch_enabled, wholesaler.batch_items_per_day),
    ',' ORDER BY customer.wholesaler_id), ''))`;

/** List the sums of each corner store in accounts. */
export interface AccountsSums {
  cornerStoreId: string;
  creditLimitCents: number;
  interestRate: string;
  status: string;
  overdue: boolean;
  customersDigest: string;
  settingsDigest: string;
}

/** The sums of each credit line in transactions. */
export interface TransactionsSums {
  cornerStoreId: string;
  limitCents: number;
  interestRate: string;
  status: string;
  overdue: boolean;
  usedCents: number;
  /** Orders that wait for their code or their delivery. */
  heldCents: number;
  /** Principal of all delivered orders, paid or not. */
  deliveredCents: number;
  /** Interest and IVA of all delivered orders, paid or not. */
  deliveredInterestCents: number;
  deliveredIvaCents: number;
  /** Delivered orders that are paid. */
  paidCount: number;
  /** Principal that came back by payments, less what their reversals took back. */
  repaidCents: number;
  customersDigest: string;
  settingsDigest: string;
}

/** The sums of each corner store that has a receivable in payments. */
export interface PaymentsSums {
  cornerStoreId: string;
  /** Principal of all receivables. */
  principalCents: number;
  /** The part of it that is paid. */
  principalPaidCents: number;
  /** Interest and IVA of all receivables. */
  interestCents: number;
  ivaCents: number;
  /** Receivables that are paid in full. */
  paidCount: number;
  overdueCount: number;
}
