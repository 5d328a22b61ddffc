import { IsBoolean, IsIn, IsOptional } from '@fiado/contracts/class-validator';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import {
  MAX_HOLD_DAYS,
  PHONE_CHANGE_HOLDS,
  type PhoneChangeHold,
  SETTLEMENT_EVERY,
  type SettlementEvery,
  type WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import { IsCount, IsNonNegativeAmount } from '@fiado/contracts/decorators';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { IsRate, rateOf } from '../request-fields';
import type { WholesalerSettings } from './wholesaler-settings.rules';

/** Longest name of a wholesaler, in characters. */
export const MAX_NAME = 200;
/** Ten years: a typing error beyond it would overflow dates further on. */
const MAX_TERM_DAYS = 3650;
/** More SMS than any wholesaler sends in a day. */
const MAX_SMS_PER_DAY = 1_000_000;
/** Far above any real wholesaler. */
const MAX_BATCH_ITEMS_PER_DAY = 1_000_000;

export const wholesalerFields = {
  wholesalerId: fields.wholesalerId,
  name: t.field(t.text, 'Name', 'Abarrotes del Norte'),
  minimumTransactionAmount: t.field(t.pesos, 'Least `totalAmount` of an order', 100),
  commissionRate: t.field(t.rate, 'The lender’s commission on a delivered order', 0.02),
  paymentTermDays: t.field(t.count, 'Days from the delivery to the payment', 14),
  deliveryWordEnabled: t.field(
    t.flag,
    'Sends a delivery word by SMS when an order is confirmed',
    true,
  ),
  deliveryWordRequired: t.field(t.flag, 'Refuses a delivery without the word', false),
  confirmationRequired: t.field(
    t.flag,
    'Refuses the delivery of an order that was not confirmed',
    true,
  ),
  deliveryOverageRate: t.field(
    t.rate,
    'How far the delivered amount may exceed the ordered one',
    0.1,
  ),
  smsToUnknownPerDay: t.field(
    t.nullable(t.count),
    'Most SMS in 24 hours to phone numbers that belong to no customer; null: `SMS_TO_UNKNOWN_PER_DAY`',
    100,
  ),
  phoneChangeHold: t.field(
    t.oneOf(PHONE_CHANGE_HOLDS),
    'Which corner stores cannot order for a time after their phone number changed',
  ),
  batchEnabled: t.field(t.flag, 'Allows `createTransactions`', true),
  batchItemsPerDay: t.field(t.count, 'Most accepted items of batches in a day', 10_000),
  batchAmountPerDay: t.field(
    t.pesos,
    'Highest sum of the accepted items of batches in a day; 0 is no limit',
    50_000,
  ),
  holdUnprovenDays: t.field(
    t.count,
    'Days that a delivery without a right delivery word waits before a statement pays it, 60 at most',
    7,
  ),
  settlementEvery: t.field(
    t.oneOf(SETTLEMENT_EVERY),
    'When statements close: at midnight, on Mondays, or when ops closes them',
  ),
};

/** A wholesaler's settings as ops sends them; absent settings keep their values. */
@DescribedAs(wholesalerFields)
export class WholesalerSettingsBody extends AskedReasonBody {
  @IsOptional()
  @IsNonNegativeAmount()
  minimumTransactionAmount?: number;

  @IsOptional()
  @IsRate()
  commissionRate?: number;

  @IsOptional()
  @IsCount(MAX_TERM_DAYS)
  paymentTermDays?: number;

  @IsOptional()
  @IsBoolean()
  deliveryWordEnabled?: boolean;

  @IsOptional()
  @IsBoolean()
  deliveryWordRequired?: boolean;

  @IsOptional()
  @IsBoolean()
  confirmationRequired?: boolean;

  @IsOptional()
  @IsRate()
  deliveryOverageRate?: number;

  /** SMS in 24 hours to numbers that no customer has; instead of SMS_TO_UNKNOWN_PER_DAY. */
  @IsOptional()
  @IsCount(MAX_SMS_PER_DAY)
  smsToUnknownPerDay?: number;

  @IsOptional()
  @IsIn(PHONE_CHANGE_HOLDS)
  phoneChangeHold?: PhoneChangeHold;

  @IsOptional()
  @IsBoolean()
  batchEnabled?: boolean;

  /** 0 is no limit. */
  @IsOptional()
  @IsCount(MAX_BATCH_ITEMS_PER_DAY)
  batchItemsPerDay?: number;

  /** 0 is no limit. */
  @IsOptional()
  @IsNonNegativeAmount()
  batchAmountPerDay?: number;

  /** 0 pays every delivery with the next statement. */
  @IsOptional()
  @IsCount(MAX_HOLD_DAYS)
  holdUnprovenDays?: number;

  @IsOptional()
  @IsIn(SETTLEMENT_EVERY)
  settlementEvery?: SettlementEvery;
}

/** The settings that a body names, in our units. */
export function settingsOf(body: WholesalerSettingsBody): Partial<WholesalerSettings> {
  const settings: { [Key in keyof WholesalerSettings]: WholesalerSettings[Key] | undefined } = {
    minimumTransactionCents: mapped(body.minimumTransactionAmount, centsOf),
    commissionRate: mapped(body.commissionRate, rateOf),
    paymentTermDays: body.paymentTermDays,
    deliveryWordEnabled: body.deliveryWordEnabled,
    deliveryWordRequired: body.deliveryWordRequired,
    confirmationRequired: body.confirmationRequired,
    deliveryOverageRate: mapped(body.deliveryOverageRate, rateOf),
    smsToUnknownPerDay: body.smsToUnknownPerDay,
    phoneChangeHold: body.phoneChangeHold,
    batchEnabled: body.batchEnabled,
    batchItemsPerDay: body.batchItemsPerDay,
    batchCentsPerDay: mapped(body.batchAmountPerDay, centsOf),
    holdUnprovenDays: body.holdUnprovenDays,
    settlementEvery: body.settlementEvery,
  };
  return present(settings);
}

function mapped<In, Out>(value: In | undefined, map: (value: In) => Out): Out | undefined {
  return value === undefined ? undefined : map(value);
}

function present<T extends object>(values: { [Key in keyof T]: T[Key] | undefined }): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

export const wholesalerAnswer = t.object('Wholesaler', wholesalerFields);

export const exampleWholesaler: t.ExampleOf<typeof wholesalerAnswer> = {
  smsToUnknownPerDay: null,
  batchItemsPerDay: 0,
  batchAmountPerDay: 0,
  holdUnprovenDays: 0,
  settlementEvery: 'weekly',
};

/** A wholesaler as ops sees it: amounts in pesos, rates as numbers. */
export function presentWholesaler({
  minimumTransactionCents,
  batchCentsPerDay,
  ...settings
}: Required<WholesalerSnapshot>): t.AnswerOf<typeof wholesalerAnswer> {
  return {
    ...settings,
    minimumTransactionAmount: amountOf(minimumTransactionCents),
    batchAmountPerDay: amountOf(batchCentsPerDay),
    commissionRate: Number(settings.commissionRate),
    deliveryOverageRate: Number(settings.deliveryOverageRate),
  };
}
