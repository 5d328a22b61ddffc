import {
  IsBase64,
  IsDateString,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  IsUUID,
} from './class-validator';
import { AreIds, AreBase64, IsArrayOf, IsCount } from './decorators';
import { defineCall } from './define';

/** The stored status. The status in answers derives `in-payment-default` from it. */
export const CORNER_STORE_STATUSES = ['pre-approved', 'in-manual-validation', 'approved'] as const;

export type CornerStoreStatus = (typeof CORNER_STORE_STATUSES)[number];

/** Why the lender pauses a corner store. */
export const PAUSE_REASONS = ['stolen-phone', 'doubt', 'fraud'] as const;

export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * When a wholesaler that changes a store's phone number without a code is held: where other
 * wholesalers sell to the store too, always or never.
 */
export const PHONE_CHANGE_HOLDS = ['shared', 'always', 'never'] as const;

export type PhoneChangeHold = (typeof PHONE_CHANGE_HOLDS)[number];

/** Wholesalers that one corner store buys from, at most: far above any real one. */
const MAX_CUSTOMER_LINKS = 10_000;

/** A wholesaler's own name for a corner store. */
export class CustomerLink {
  @IsUUID()
  wholesalerId: string;

  @IsString()
  externalId: string;

  /** Times that this wholesaler changed the phone without a code. Absent in older events. */
  @IsOptional()
  @IsCount()
  phoneChanges?: number;

  /** Until when that holds its larger orders; ISO 8601, null when it does not. */
  @IsOptional()
  @IsDateString()
  phoneHeldUntil?: string | null;
}

/**
 * Everything that other services know of a corner store; accounts sends it in events and on
 * request.
 */
export class CornerStoreSnapshot {
  @IsUUID()
  cornerStoreId: string;

  @IsUUID()
  userId: string;

  @IsIn(CORNER_STORE_STATUSES)
  status: CornerStoreStatus;

  @IsCount()
  creditLimitCents: number;

  /** Decimal string, at most 6 decimals. */
  @IsString()
  interestRate: string;

  /** The registered phone, sealed for the purpose 'phone' and bound to cornerStoreId (base64). */
  @IsBase64()
  phoneSealed: string;

  /**
   * The wholesaler that set the phone, while no code has proved it; null for a known phone. Absent in events of the
   * release before.
   */
  @IsOptional()
  @IsUUID()
  phoneUnprovenBy?: string | null;

  /** Where its days begin and end; null: where the installation's do. Absent in older events. */
  @IsOptional()
  @IsTimeZone()
  timeZone?: string | null;

  @IsArrayOf(() => CustomerLink, { max: MAX_CUSTOMER_LINKS })
  customers: CustomerLink[];
}

/** A snapshot of accounts with the version that orders it. */
export interface Versioned<Snapshot> {
  version: number;
  snapshot: Snapshot;
}

export class SnapshotsQuestion {
  @IsUUID()
  wholesalerId: string;

  @AreIds()
  cornerStoreIds: string[];

  /** Resolved to the wholesaler's corner store of that name, for links (createTransactionLink). */
  @IsOptional()
  @IsString()
  externalId?: string;
}

export interface SnapshotsAnswer {
  wholesaler: Versioned<WholesalerSnapshot> | null;
  /** Only stores that this wholesaler has as customers. */
  cornerStores: Versioned<CornerStoreSnapshot>[];
}

/** The most days that a delivery without its word is held: it is in the statement after the next but one month at the latest. */
export const MAX_HOLD_DAYS = 60;

export const SETTLEMENT_EVERY = ['daily', 'weekly', 'on-demand'] as const;
/** When the statements of a wholesaler close: at midnight, on Mondays, or by hand. */
export type SettlementEvery = (typeof SETTLEMENT_EVERY)[number];

/** A wholesaler's settings, as accounts publishes them. Amounts in integer cents, rates as decimal strings. */
export class WholesalerSnapshot {
  @IsUUID()
  wholesalerId: string;

  @IsString()
  name: string;

  @IsCount()
  minimumTransactionCents: number;

  @IsString()
  commissionRate: string;

  @IsCount()
  paymentTermDays: number;

  @IsIn([true, false])
  deliveryWordEnabled: boolean;

  @IsIn([true, false])
  deliveryWordRequired: boolean;

  @IsIn([true, false])
  confirmationRequired: boolean;

  @IsString()
  deliveryOverageRate: string;

  /** SMS in 24 hours to numbers that no customer has; null: SMS_TO_UNKNOWN_PER_DAY. */
  @IsOptional()
  @IsInt()
  smsToUnknownPerDay?: number | null;

  @IsIn(PHONE_CHANGE_HOLDS)
  phoneChangeHold: PhoneChangeHold;

  @IsIn([true, false])
  batchEnabled: boolean;

  /** Accepted items of createTransactions in a day of Mexico City; 0 is no limit. */
  @IsCount()
  batchItemsPerDay: number;

  /** Sum of the accepted items in that day; 0 is no limit. Absent in events of the release before. */
  @IsOptional()
  @IsCount()
  batchCentsPerDay?: number;

  /** Days that an unproven delivery waits for its statement. Absent in events of the release before. */
  @IsOptional()
  @IsCount()
  holdUnprovenDays?: number;

  /** Absent in events of the release before. */
  @IsOptional()
  @IsIn(SETTLEMENT_EVERY)
  settlementEvery?: SettlementEvery;
}

/** For accounts: transactions calls it before it refuses an order. */
export const snapshotsCall = defineCall<SnapshotsAnswer>()(
  '/internal/snapshots',
  SnapshotsQuestion,
);

export class FirstNameInitialQuestion {
  @IsUUID()
  userId: string;
}

export interface FirstNameInitialAnswer {
  /** In upper case, with its accent; null when the user does not exist. */
  firstNameInitial: string | null;
}

/** For accounts: the look-up of a payment reference. */
export const firstNameInitialCall = defineCall<FirstNameInitialAnswer>()(
  '/internal/first-name-initial',
  FirstNameInitialQuestion,
);

/** Phones that a question may be about, at most: those of a page. */
const MAX_PHONES_ASKED = 100;

class StoresOfPhonesQuestion {
  /** Blind indexes of phones (base64). */
  @AreBase64(MAX_PHONES_ASKED)
  phoneIndexes: string[];
}

interface StoresOfPhonesAnswer {
  /** The stores that have one of the phones now. */
  stores: Array<{ phoneIndex: string; cornerStoreId: string }>;
}

/** For accounts: the notifier names the stores of the messages that ops lists. */
export const storesOfPhonesCall = defineCall<StoresOfPhonesAnswer>()(
  '/internal/stores-of-phones',
  StoresOfPhonesQuestion,
);
