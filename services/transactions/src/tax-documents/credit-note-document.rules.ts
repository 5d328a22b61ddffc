import type { TaxProfile } from '@fiado/contracts/tax-profile';
import { itemsOf } from '../invoices/invoice-amounts.rules';
import { type Billed, customerOf, type DocumentRequest, shrink } from '../invoices/invoice.rules';
import { CREDIT_NOTE_RELATION, creditNoteUse } from './tax-choices.rules';

interface CreditNoteDocument {
  documentId: string;
  transactionId: string | null;
  receiver: TaxProfile;
  invoice: Billed & { uuid: string | null };
  /** What it takes off the invoice. */
  cents: number;
  paymentForm: string;
}

/**
 * A credit note (CFDI of type E), related to its invoice: the lines of the invoice in proportion, with the same taxes.
 * @returns undefined where taxes by quota exceed the price of a line
 */
export function creditNoteDocument({
  documentId,
  transactionId,
  receiver,
  invoice,
  cents,
  paymentForm,
}: CreditNoteDocument): DocumentRequest | undefined {
  const items = itemsOf(shrink(invoice, cents));
  return (
    items && {
      type: 'E',
      idempotency_key: documentId,
      external_id: transactionId,
      customer: customerOf(receiver),
      payment_method: 'PUE',
      payment_form: paymentForm,
      use: creditNoteUse(receiver),
      related_documents: [{ relationship: CREDIT_NOTE_RELATION, documents: [invoice.uuid] }],
      items,
    }
  );
}
