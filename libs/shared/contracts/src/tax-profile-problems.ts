import type { TaxProfile } from './tax-profile';

/**
 * Lists of the tax authority (SAT, catalogues of CFDI 4.0): c_RegimenFiscal with who may have a regime, and c_UsoCFDI with the
 * regimes that may use it. Taken from the API document of Facturapi (github.com/FacturAPI/facturapi-docs, openapi_v2.yaml).
 */
const REGIMES_OF_PEOPLE = '605 606 607 608 610 611 612 614 615 616 621 625 626'.split(' ');
const REGIMES_OF_COMPANIES = '601 603 610 620 622 623 624 626'.split(' ');

const OF_BUSINESSES = '601 603 606 612 620 621 622 623 624 625 626'.split(' ');
const OF_DEDUCTIONS = '605 606 607 608 611 612 614 615 625'.split(' ');
const OF_ALL = [...new Set([...REGIMES_OF_PEOPLE, ...REGIMES_OF_COMPANIES])];

const USES: Record<string, string[]> = Object.fromEntries([
  ...'G01 G02 G03 I01 I02 I03 I04 I05 I06 I07 I08'.split(' ').map((use) => [use, OF_BUSINESSES]),
  ...'D01 D02 D03 D04 D05 D06 D07 D08 D09 D10'.split(' ').map((use) => [use, OF_DEDUCTIONS]),
  ['S01', OF_ALL],
]);

/** Three letters and a date of a company, four of a person, and three characters that tell equal ones apart. */
const RFC = /^[A-ZÑ&]{3,4}\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])[A-Z\d]{2}[A\d]$/;

/** The tax ids of everybody: an invoice to nobody is a receipt. */
const GENERIC = new Set(['XAXX010101000', 'XEXX010101000']);

/** The kind of company at the end of a name, which the tax authority does not want. */
const KIND_OF_COMPANY =
  /[ ,](S\.?A\.?P?\.?I?\.?( B\.?)?|S\.? DE R\.?L\.?( MI)?|S\.?C\.?|A\.?C\.?|S\.?A\.?S\.?)( DE C\.?V\.?)?$/;

/** What of a profile the tax authority would refuse, a sentence for each field. */
export function taxProfileProblems(profile: TaxProfile): string[] {
  const { rfc, legalName, taxRegime, postalCode, cfdiUse } = profile;
  const isCompany = rfc.length === 12;
  const regimes = isCompany ? REGIMES_OF_COMPANIES : REGIMES_OF_PEOPLE;
  const problems: Array<[isProblem: boolean, text: string]> = [
    [
      !RFC.test(rfc) || GENERIC.has(rfc),
      'rfc must be the tax id of one taxpayer, in capitals: 12 characters of a company, 13 of a person',
    ],
    [
      legalName !== legalName.toUpperCase() || (isCompany && KIND_OF_COMPANY.test(legalName)),
      'legalName must be in capitals and without the kind of company (SA DE CV), as on the Constancia de Situación Fiscal',
    ],
    [
      !regimes.includes(taxRegime),
      `taxRegime of a ${isCompany ? 'company' : 'person'} must be one of ${regimes.join(', ')}`,
    ],
    [!/^\d{5}$/.test(postalCode), 'postalCode must be the five digits of the tax address'],
    [
      !(USES[cfdiUse] ?? []).includes(taxRegime),
      `cfdiUse must be one that the tax regime ${taxRegime} may have: ${usesOf(taxRegime).join(', ') || 'none'}`,
    ],
  ];
  return problems.filter(([isProblem]) => isProblem).map(([, text]) => text);
}

function usesOf(taxRegime: string): string[] {
  return Object.keys(USES).filter((use) => USES[use]?.includes(taxRegime));
}
