import type { SentInvoice, StampedInvoice } from './facturapi-invoices';
import { satAmounts, type SentTax } from './sat';

interface RelatedDocument {
  uuid: string;
  amount: number;
  installment: number;
  last_balance: number;
  taxes: SentTax[];
}

interface Payment {
  payment_form: string;
  date?: string;
  related_documents: RelatedDocument[];
}

/** Keys of c_FormaPago. */
const PAYMENT_FORMS = /^(0[1-68]|1[2-57]|2[3-9]|3[01])$/;

/**
 * What Facturapi and SAT refuse of a payment complement, by the API document (`PaymentInput`), the guide of payment invoices and the codes of
 * errors (github.com/FacturAPI/facturapi-docs), and by SAT's Guía de llenado: each document is a valid PPD invoice of the
 * same issuer and receiver, `installment` counts the payments of it, also in one complement, `last_balance` is what was left
 * before, `amount` is no more than that (`amount_exceeds_related_document_balance`), and the taxes of the invoice are there,
 * their bases in proportion to the amount. It looks at balances more closely than SAT does.
 */
export function problemOfPayment(
  stamped: Iterable<StampedInvoice>,
  owner: string,
  { complements = [], customer, items }: SentInvoice,
): string | undefined {
  const payments = complements[0]?.data ?? [];
  if (complements[0]?.type !== 'pago' || payments.length === 0) return 'invalid_request';
  if (items !== undefined) return 'unknown_field';
  const known = [...stamped].filter((one) => one.owner === owner);
  const earlier = known.flatMap((one) => paymentsOf(one));
  for (const { payment_form: form, date, related_documents: documents } of payments) {
    if (!PAYMENT_FORMS.test(form)) return 'CRP20213: no key of c_FormaPago';
    if (date !== undefined && Date.parse(date) > Date.now())
      return 'CRP: the date is in the future';
    if (documents.length === 0) return 'required';
    for (const document of documents) {
      const invoice = known.find(
        ({ uuid, status }) => uuid === document.uuid && status === 'valid',
      );
      const problem = problemOfPart(document, invoice, earlier);
      if (problem !== undefined) return problem;
      if (invoice?.sent.customer?.['tax_id'] !== customer?.['tax_id']) return 'another receiver';
      earlier.push(document);
    }
  }
  return undefined;
}

function problemOfPart(
  { uuid, amount, installment, last_balance: balance, taxes }: RelatedDocument,
  invoice: StampedInvoice | undefined,
  earlier: RelatedDocument[],
): string | undefined {
  if (invoice?.sent['payment_method'] !== 'PPD') return 'not_found';
  const before = earlier.filter((one) => one.uuid === uuid);
  const paidCents = before.reduce((sum, one) => sum + centsOf(one.amount), 0);
  if (installment !== before.length + 1) return `installment ${installment} after ${before.length}`;
  if (centsOf(balance) !== centsOf(invoice.total) - paidCents) return 'another last_balance';
  if (centsOf(amount) <= 0) return 'too_small';
  if (centsOf(amount) > centsOf(balance)) return 'amount_exceeds_related_document_balance';
  const { bases } = satAmounts(invoice.sent.items ?? []);
  const sent = new Map(taxes.map((tax) => [keyOf(tax), tax.base ?? 0]));
  for (const [key, base] of bases) {
    const wanted = (base * amount) / invoice.total;
    // A millionth for each of two rounded shares, and what is lost of a number.
    if (Math.abs((sent.get(key) ?? 0) - wanted) > 2.1e-6)
      return `the base of ${key} is not ${wanted}`;
  }
  return sent.size > bases.size ? 'a tax that the invoice has not' : undefined;
}

const keyOf = ({ type, factor = 'Tasa', rate }: SentTax): string => `${type} ${factor} ${rate}`;

/**
 * What Facturapi and SAT refuse of a credit note, by the API document (`InvoiceEgresoInput`), the guide of egress invoices and SAT's
 * Anexo 20: it is related (01) to valid invoices of the same issuer and receiver, is PUE with a known payment form, has the use
 * G02 or S01, its taxes are those of the invoices, and all of them take off no more than the invoices bill.
 */
export function problemOfCreditNote(
  stamped: Iterable<StampedInvoice>,
  owner: string,
  sent: SentInvoice,
): string | undefined {
  const { related_documents: related = [], items = [], customer } = sent;
  const known = [...stamped].filter((one) => one.owner === owner && one.status === 'valid');
  const [{ relationship, documents } = { relationship: '', documents: [] }] = related;
  const invoices = known.filter(
    ({ uuid, sent: { type } }) => type === 'I' && documents.includes(uuid),
  );
  const isKnown = documents.length > 0 && documents.length === invoices.length;
  if (relationship !== '01' || !isKnown) return 'not_found';
  if (invoices.some((one) => one.sent.customer?.['tax_id'] !== customer?.['tax_id'])) {
    return 'another receiver';
  }
  if (sent['payment_method'] !== 'PUE') return 'CFDI40124: a credit note is PUE';
  if (!PAYMENT_FORMS.test(String(sent['payment_form']))) return 'CFDI40104: the payment form';
  if (!['G02', 'S01'].includes(String(sent['use']))) return 'CFDI40161: the use';
  const { bases } = satAmounts(invoices.flatMap((one) => one.sent.items ?? []));
  const { bases: own, totalCents } = satAmounts(items);
  if ([...own.keys()].some((key) => !bases.has(key))) return 'a tax that the invoice has not';
  const before = known
    .filter((one) =>
      one.sent.related_documents?.[0]?.documents.some((uuid) => documents.includes(uuid)),
    )
    .reduce((sum, { total }) => sum + centsOf(total), 0);
  const billed = invoices.reduce((sum, { total }) => sum + centsOf(total), 0);
  return before + totalCents > billed ? 'more than the invoice' : undefined;
}

/** What a valid complement pays. */
function paymentsOf({ status, sent }: StampedInvoice): RelatedDocument[] {
  if (status !== 'valid') return [];
  return (sent.complements ?? []).flatMap(({ data }) =>
    data.flatMap((payment) => payment.related_documents),
  );
}

/** Whether an invoice has a valid complement: SAT does not cancel it then. */
export function isPaid(stamped: Iterable<StampedInvoice>, { uuid }: StampedInvoice): boolean {
  return [...stamped].some((one) => paymentsOf(one).some((part) => part.uuid === uuid));
}

const centsOf = (pesos: number): number => Math.round(100 * pesos);

export interface SentComplement {
  type: string;
  data: Payment[];
}
