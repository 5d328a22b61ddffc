import { IsUUID } from 'class-validator';
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
export const taxProfileCall = defineCall<TaxProfileQuestion, TaxProfileAnswer>(
  '/internal/tax-profile',
  TaxProfileQuestion,
);
