import type { TaxProfile } from '@fiado/contracts/tax-profile';

/*
 * Choices of tax law that are taken from secondary sources. What an adviser of a lender may see otherwise is a setting
 * (config.ts), whose default stands here.
 */

/**
 * c_FormaPago of what the lender transferred: 03, electronic transfer of funds. The wholesaler sells the debt to the lender,
 * who pays it (SAT, Guía de llenado del complemento para recepción de pagos, appendix on factoring). The receiver is that of the
 * invoice; Odoo's module l10n_mx_edi_factoring reads that appendix so that it is who buys the debt: an adviser decides before
 * that changes.
 */
export const TRANSFERRED_FORM = '03';

/**
 * c_FormaPago of what was not transferred, as the commission: 17, Compensación. That appendix settles the discount of who
 * buys a debt so, beside the transfer, in the same complement.
 */
export const NETTED_FORM = '17';

/**
 * c_TipoRelacion of a credit note to the invoice that it corrects (the documentation of Facturapi, guide of egress invoices). An invoice
 * that has a payment complement is corrected by credit notes only (SAT, Guía de llenado of payments); one that was sold and came back
 * gets one for all of it, and is not cancelled.
 */
export const CREDIT_NOTE_RELATION = '01';

/**
 * c_UsoCFDI of a credit note: G02, returns, discounts and allowances, which only businesses may have; else S01, no fiscal effects.
 */
export function creditNoteUse({ cfdiUse }: TaxProfile): string {
  return /^[GI]/.test(cfdiUse) ? 'G02' : 'S01';
}

/**
 * c_ClaveProdServ and c_ClaveUnidad of the commission: services of banks and lenders, and a unit of service. The catalogue has no key of
 * such a commission alone.
 */
export const COMMISSION_PRODUCT = '84121500';
export const COMMISSION_UNIT = 'E48';

/**
 * The day of the month on which a complement of the month before that is missing is an alert: they are due on the fifth
 * (Resolución Miscelánea Fiscal, rule 2.7.1.32, as providers quote it).
 */
export const ALERT_DAY = 3;
