import { IsEmail, IsOptional, MaxLength } from './class-validator';
import { About } from './about';
import { IsNonEmptyText, IsText } from './decorators';
import { ValidationError } from './errors';
import type { TaxProfile } from './tax-profile';
import { taxProfileProblems } from './tax-profile-problems';

/** A tax profile as it is sent. */
export class TaxProfileBody implements TaxProfile {
  @About('Tax id, in capitals: 13 characters of a person, 12 of a company', 'LULU800101AB1')
  @IsText(13)
  rfc: string;

  @About(
    'Name in capitals, without the kind of company, as on the Constancia de Situación Fiscal',
    'GUADALUPE LUNA LUNA',
  )
  @IsNonEmptyText(254)
  legalName: string;

  @About('Tax regime: a key of the catalogue c_RegimenFiscal of the tax authority', '626')
  @IsText(3)
  taxRegime: string;

  @About('Postcode of the tax address: five digits', '06000')
  @IsText(5)
  postalCode: string;

  @About('What its invoices are for: a key of the catalogue c_UsoCFDI of the tax authority', 'G01')
  @IsText(4)
  cfdiUse: string;

  @About('Where the provider sends its invoices', 'lupita@tienda.example')
  @IsOptional()
  @IsEmail()
  @MaxLength(254)
  email?: string;
}

export const EXAMPLE_TAX_PROFILE = {
  rfc: 'LULU800101AB1',
  legalName: 'GUADALUPE LUNA LUNA',
  taxRegime: '626',
  postalCode: '06000',
  cfdiUse: 'G01',
};

/** @throws ValidationError for what the tax authority would refuse */
export function checkedTaxProfile(profile: TaxProfileBody): TaxProfile {
  const problems = taxProfileProblems(profile);
  if (problems.length > 0) throw new ValidationError(problems);
  return profile;
}
