import { IsOptional, IsUUID, Matches } from './class-validator';
import { About } from './about';
import { IsDateText, IsIntegerText } from './decorators';

/** One invariant of a service, as in GET /v1/admin/invariants/{service}. */
export interface InvariantCheck {
  /** The invariant, stated as a fact: 'credit_entries sum up to used_cents'. */
  name: string;
  holds: boolean;
  /** The rows at fault, the first few: ids and sums, never personal data. */
  violations: object[];
}

/** Rows at fault that a check names at most. */
export const MAX_VIOLATIONS = 20;

/** Rows of a range: some tenths of a second, far below the time limit of a statement. */
const DEFAULT_RANGE = 2000;
const MAX_RANGE = 10_000;

/** Query of GET /v1/admin/invariants/{service}. */
export class InvariantsQuery {
  @About('`next` of the range before', 'credit-lines')
  @IsOptional()
  @Matches(/^[a-z-]{1,40}(:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})?$/, {
    message: 'from must be the next of a range',
  })
  from?: string;

  /** Only what was made after that moment, and all that is open; without it, everything. */
  @IsOptional()
  @IsDateText()
  since?: string;

  @IsIntegerText(1, MAX_RANGE)
  limit = DEFAULT_RANGE;
}

const DEFAULT_SUMS = 500;
/** Some 300 kB of JSON. */
const MAX_SUMS = 1000;

/** Query of GET /v1/admin/invariants/{service}/corner-stores: pages in the order of the ids. */
export class CornerStoreSumsQuery {
  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsUUID()
  cursor?: string;

  /** Only debts that are due after that moment, and those that are not paid. */
  @IsOptional()
  @IsDateText()
  since?: string;

  @IsIntegerText(1, MAX_SUMS)
  limit = DEFAULT_SUMS;
}

/** Query of GET /v1/admin/invariants/{service}/debts: pages in the order of the orders' ids. */
export class DebtsQuery extends CornerStoreSumsQuery {
  @IsUUID()
  cornerStoreId: string;
}

/** A page of the sums or debts of a service. */
export interface SumsPage {
  /** The last id of the page before. */
  cursor: string | undefined;
  limit: number;
  /** Only debts that are due since then, and those that are not paid. */
  since: Date | undefined;
}

/**
 * SQL of customersDigest: the wholesalers that have the corner store as a customer, each with its
 * external id and its changes of the phone. Of rows `customer` of one corner store, alike in accounts
 * and transactions.
 */
export const CUSTOMERS_DIGEST = `
  md5(coalesce(string_agg(
    concat_ws(' ', customer.wholesaler_id, customer.external_id, customer.phone_changes,
              extract(epoch FROM customer.phone_held_until)),
    ',' ORDER BY customer.wholesaler_id), ''))`;

/** SQL of settingsDigest: the settings of these wholesalers, in rows `wholesaler` joined to them. */
export const SETTINGS_DIGEST = `
  md5(coalesce(string_agg(
    concat_ws(' ', customer.wholesaler_id, wholesaler.version, wholesaler.name, wholesaler.minimum_transaction_cents,
              trim_scale(wholesaler.commission_rate), wholesaler.payment_term_days,
              wholesaler.delivery_word_enabled, wholesaler.delivery_word_required,
              wholesaler.confirmation_required, trim_scale(wholesaler.delivery_overage_rate),
              wholesaler.batch_enabled, wholesaler.batch_items_per_day,
              -- The release before does not have these: at 0 its digest is the same.
              'batch-cents ' || nullif(wholesaler.batch_cents_per_day, 0),
              'hold ' || nullif(wholesaler.hold_unproven_days, 0)),
    ',' ORDER BY customer.wholesaler_id), ''))`;

/** SQL of debtsDigest: rows `debt` of one corner store, alike in transactions and payments. */
export const DEBTS_DIGEST = `
  md5(coalesce(string_agg(
    concat_ws(' ', debt.transaction_id, debt.wholesaler_id, debt.user_id, debt.external_id,
              debt.principal_cents, debt.interest_cents, debt.iva_cents,
              round(extract(epoch FROM debt.due_at) * 1000), debt.paid, debt.in_default,
              debt.owed_principal_cents, debt.credited_cents, debt.settled_notes, debt.version,
              -- The release before does not have these: without a dispute its digest is the same.
              'disputed ' || nullif(debt.disputed, false), 'later ' || nullif(debt.later_days, 0)),
    ',' ORDER BY debt.transaction_id), ''))`;

/** The facts about each corner store in accounts that the other services copy. */
export interface AccountsSums {
  cornerStoreId: string;
  userId: string;
  /** Of the store and of its copies. */
  version: number;
  /** A keyed digest of the phone number. */
  phoneDigest: string;
  creditLimitCents: number;
  interestRate: string;
  status: string;
  overdue: boolean;
  /** Of what payments published of its defaults. */
  overdueVersion: number;
  customersDigest: string;
  settingsDigest: string;
}

/** The sums of each credit line in transactions. */
export interface TransactionsSums extends Omit<AccountsSums, 'creditLimitCents'> {
  limitCents: number;
  usedCents: number;
  /** Orders that wait for their code or their delivery. */
  heldCents: number;
  /** Delivered orders, and a digest of them. */
  debts: number;
  debtsDigest: string;
}

/** The sums of each corner store that payments knows: from its first delivery on. */
export interface PaymentsSums {
  cornerStoreId: string;
  userId: string;
  /** Principal of receivables that is neither paid nor credited. */
  owedPrincipalCents: number;
  overdueCount: number;
  overdueVersion: number;
  /** Receivables, and a digest of them. */
  debts: number;
  debtsDigest: string;
}
