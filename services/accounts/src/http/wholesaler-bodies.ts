import { IsNonNegativeAmount } from '@fiado/shared/contracts/decorators';
import { centsOf } from '@fiado/shared/money';
import {
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { WholesalerSettings } from '../domain/wholesaler-settings';
import { IsRate, rateOf } from './request-fields';

const MAX_NAME = 200;
/** Ten years: a typing error beyond it would overflow dates further on. */
const MAX_TERM_DAYS = 3650;

/** A wholesaler's settings as ops sends them; what is absent keeps its value. */
export class WholesalerSettingsBody {
  @IsOptional()
  @IsNonNegativeAmount()
  minimumTransactionAmount?: number;

  @IsOptional()
  @IsRate()
  commissionRate?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_TERM_DAYS)
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
}

export class CreateWholesalerBody extends WholesalerSettingsBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NAME)
  name: string;
}

export class UpdateWholesalerBody extends WholesalerSettingsBody {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NAME)
  name?: string;
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
