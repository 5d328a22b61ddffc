import { amountOf } from '@fiado/contracts/money';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import { itemsOf } from '../invoices/invoice-amounts.rules';
import { customerOf, type DocumentRequest } from '../invoices/invoice.rules';
import { COMMISSION_PRODUCT, COMMISSION_UNIT } from './tax-choices.rules';

interface CommissionInvoice {
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
}

/** The lender's invoice (CFDI of type I) of the commission of a statement, which is paid when it is closed (PUE). */
export function commissionInvoice({
  documentId,
  statementId,
  number,
  receiver,
  cents,
  ivaRate,
  paymentForm,
}: CommissionInvoice): DocumentRequest {
  const product = {
    description: `Comisión de la liquidación ${number}`,
    price: amountOf(cents),
    productKey: COMMISSION_PRODUCT,
    sku: 'COMISION',
    taxes: [{ type: 'IVA', rate: Number(ivaRate) }],
    unitKey: COMMISSION_UNIT,
  };
  return {
    type: 'I',
    idempotency_key: documentId,
    external_id: statementId,
    customer: customerOf(receiver),
    use: receiver.cfdiUse,
    payment_method: 'PUE',
    payment_form: paymentForm,
    items: itemsOf({ discountCents: 0, products: [{ product, quantity: 1 }] }),
  };
}
