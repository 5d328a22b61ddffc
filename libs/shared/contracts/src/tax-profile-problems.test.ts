import { taxProfileProblems } from './tax-profile-problems';

const PERSON = {
  rfc: 'LULU800101AB1',
  legalName: 'GUADALUPE LUNA LUNA',
  taxRegime: '626',
  postalCode: '06000',
  cfdiUse: 'G01',
};
const COMPANY = { ...PERSON, rfc: 'ALU010203XY9', legalName: 'ABARROTES LUPITA', taxRegime: '601' };

it.each([
  ['a person', PERSON],
  ['a company', COMPANY],
  [
    'a company whose name has an Ñ and an &',
    { ...COMPANY, rfc: 'Ñ&A010203XY9', legalName: 'ÑAME & ARROZ' },
  ],
  ['a person whose name ends as a kind of company', { ...PERSON, legalName: 'JUAN SA' }],
  ['a person without a business', { ...PERSON, taxRegime: '605', cfdiUse: 'S01' }],
])('takes %s', (_, profile) => expect(taxProfileProblems(profile)).toEqual([]));

it.each([
  ['an RFC of 11 characters', { ...PERSON, rfc: 'LUL800101AB' }, ['rfc']],
  ['an RFC in small letters', { ...PERSON, rfc: 'lulu800101ab1' }, ['rfc']],
  ['the 13th month', { ...PERSON, rfc: 'LULU801301AB1' }, ['rfc']],
  ['the tax id of everybody', { ...PERSON, rfc: 'XAXX010101000' }, ['rfc']],
  ['a name in small letters', { ...PERSON, legalName: 'Guadalupe Luna' }, ['legalName']],
  ['the kind of company', { ...COMPANY, legalName: 'ABARROTES LUPITA SA DE CV' }, ['legalName']],
  ['it with points', { ...COMPANY, legalName: 'ABARROTES LUPITA, S.A. DE C.V.' }, ['legalName']],
  ['another kind', { ...COMPANY, legalName: 'ABARROTES LUPITA S DE RL DE CV' }, ['legalName']],
  ['a regime of companies for a person', { ...PERSON, taxRegime: '601' }, ['taxRegime']],
  ['a postcode of four digits', { ...PERSON, postalCode: '6000' }, ['postalCode']],
  ['a use that the regime may not have', { ...PERSON, taxRegime: '605' }, ['cfdiUse']],
  ['payroll', { ...PERSON, taxRegime: '605', cfdiUse: 'CN01' }, ['cfdiUse']],
])('refuses %s, and names the field', (_, profile, fields) =>
  expect(taxProfileProblems(profile).map((text) => text.split(' ')[0])).toEqual(fields),
);
