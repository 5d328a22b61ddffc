import { amountOf } from '@fiado/contracts/money';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import { itemsOf } from '../invoices/invoice-amounts.rules';
import { customerOf, type DocumentRequest } from '../invoices/invoice.rules';
import {
  COMMISSION_PRODUCT,
  COMMISSION_UNIT,
  CREDIT_NOTE_RELATION,
  creditNoteUse,
} from './tax-choices.rules';

interface CommissionDocument {
  documentId: string;
  statementId: string | null;
  /** Of its wholesaler. */
  number: number;
  receiver: TaxProfile;
  /** Commission and its IVA. */
  cents: number;
  /** Decimal string. */
  ivaRate: string;
  paymentForm: string;
  isCreditNote: boolean;
  /** Of a credit note: the invoices of which the statement takes commission back. */
  corrected: Array<{ uuid: string | null }>;
}

/**
 * The lender's invoice (CFDI of type I) of the commission of a statement, or its credit note (type E) for what a statement takes
 * back of earlier ones. Either is paid when the statement is closed (PUE).
 */
export function commissionDocument({
  documentId,
  statementId,
  number,
  receiver,
  cents,
  ivaRate,
  paymentForm,
  isCreditNote,
  corrected,
}: CommissionDocument): DocumentRequest {
  const product = {
    description: `Comisión de la liquidación ${number}`,
    price: amountOf(cents),
    productKey: COMMISSION_PRODUCT,
    sku: 'COMISION',
    taxes: [{ type: 'IVA', rate: Number(ivaRate) }],
    unitKey: COMMISSION_UNIT,
  };
  const documents = corrected.map(({ uuid }) => uuid);
  return {
    type: isCreditNote ? 'E' : 'I',
    idempotency_key: documentId,
    external_id: statementId,
    customer: customerOf(receiver),
    use: isCreditNote ? creditNoteUse(receiver) : receiver.cfdiUse,
    payment_method: 'PUE',
    payment_form: paymentForm,
    ...(isCreditNote && {
      related_documents: [{ relationship: CREDIT_NOTE_RELATION, documents }],
    }),
    items: itemsOf({ discountCents: 0, products: [{ product, quantity: 1 }] }),
  };
}
