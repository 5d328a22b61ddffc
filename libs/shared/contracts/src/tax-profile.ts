import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, IsUUID, ValidateNested } from './class-validator';
import { IsText } from './decorators';
import { defineCall } from './define';

/** Who an invoice is for, as the tax authority (SAT) has it. */
export interface TaxProfile {
  rfc: string;
  /** In capitals, without the kind of company. */
  legalName: string;
  /** A key of c_RegimenFiscal. */
  taxRegime: string;
  postalCode: string;
  /** A key of c_UsoCFDI. */
  cfdiUse: string;
  /** Where the provider sends the document. */
  email?: string;
}

/** Purpose with which accounts seals the tax profile of a user, as JSON, bound to the user. */
export const TAX_PROFILE_PURPOSE = 'tax-profile';

export class TaxProfileQuestion {
  @IsUUID()
  userId: string;
}

export interface TaxProfileAnswer {
  /** Sealed, in base64; null of a user without one, and of a blocked one. */
  taxProfileSealed: string | null;
}

/** For accounts: who the invoice of an order is for. */
export const taxProfileCall = defineCall<TaxProfileAnswer>()(
  '/internal/tax-profile',
  TaxProfileQuestion,
);

/** The longest text of a typed profile, in characters: a name. */
export const MAX_TYPED = 254;

/** A profile as the owner of a store types it: accounts checks it. */
class TypedTaxProfile implements TaxProfile {
  @IsText(MAX_TYPED)
  rfc: string;

  @IsText(MAX_TYPED)
  legalName: string;

  @IsText(MAX_TYPED)
  taxRegime: string;

  @IsText(MAX_TYPED)
  postalCode: string;

  @IsText(MAX_TYPED)
  cfdiUse: string;

  @IsOptional()
  @IsText(MAX_TYPED)
  email?: string;
}

export class VisitTaxProfileQuestion {
  /** Of the visit, in which the owner has typed the code. */
  @IsText(100)
  token: string;

  /** Takes the place of the one before. Without it, and without `remove`, the profile is only looked up. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => TypedTaxProfile)
  profile?: TaxProfile;

  @IsOptional()
  @IsBoolean()
  remove?: boolean;
}

/** Nothing is set while fields are `wrong`. */
export type VisitTaxProfileAnswer =
  | { state: 'ended' }
  | { state: 'open'; hasTaxProfile: boolean; wrong: Array<keyof TaxProfile> };

/** For accounts: the tax profile of the owner of a store, on "Mi cuenta". Its values are never answered. */
export const visitTaxProfileCall = defineCall<VisitTaxProfileAnswer>()(
  '/internal/account-visits/tax-profile',
  VisitTaxProfileQuestion,
);
