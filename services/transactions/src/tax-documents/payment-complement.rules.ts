import { amountOf } from '@fiado/contracts/money';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import { taxesOfPayment } from '../invoices/invoice-amounts.rules';
import {
  type Billed,
  customerOf,
  type DocumentRequest,
  totalCentsOf,
} from '../invoices/invoice.rules';
import { TRANSFERRED_FORM } from './tax-choices.rules';

/** What a complement settles of one invoice, in cents. */
interface SettledInvoice extends Billed {
  uuid: string | null;
  cents: number;
  /** What of it was not transferred. */
  nettedCents: number;
}

interface Complement {
  documentId: string;
  statementId: string | null;
  receiver: TaxProfile;
  invoices: SettledInvoice[];
  /** When the statement was paid, or closed with nothing due. */
  date: Date;
  /** Of the transfer; null without one. */
  bankReference: string | null;
  /** c_FormaPago of what was netted. */
  nettedForm: string;
}

/**
 * A payment complement (CFDI of type P): what of each invoice was transferred, and then what was netted. An invoice is settled
 * by one statement only, so the first instalment has all of its total before it (SAT, Guía de llenado: ImpSaldoAnt).
 */
export function paymentComplement({
  documentId,
  statementId,
  receiver,
  invoices,
  date,
  bankReference,
  nettedForm,
}: Complement): DocumentRequest {
  const transferred = invoices.flatMap((invoice) => partOf(invoice, 0, transferredOf(invoice), 1));
  const netted = invoices.flatMap((invoice) => {
    const before = transferredOf(invoice);
    return partOf(invoice, before, invoice.cents, before === 0 ? 1 : 2);
  });
  const payments = [
    {
      payment_form: TRANSFERRED_FORM,
      date: date.toISOString(),
      ...(bankReference !== null && { numOperacion: bankReference }),
      related_documents: transferred,
    },
    { payment_form: nettedForm, date: date.toISOString(), related_documents: netted },
  ];
  return {
    type: 'P',
    idempotency_key: documentId,
    external_id: statementId,
    customer: customerOf(receiver),
    complements: [
      {
        type: 'pago',
        data: payments.filter((payment) => payment.related_documents.length > 0),
      },
    ],
  };
}

function transferredOf({ cents, nettedCents }: SettledInvoice): number {
  return cents - nettedCents;
}

function partOf(invoice: SettledInvoice, before: number, upTo: number, installment: number) {
  if (upTo === before) return [];
  return [
    {
      uuid: invoice.uuid,
      amount: amountOf(upTo - before),
      installment,
      last_balance: amountOf(totalCentsOf(invoice) - before),
      taxes: taxesOfPayment(invoice, { before, upTo }),
    },
  ];
}
