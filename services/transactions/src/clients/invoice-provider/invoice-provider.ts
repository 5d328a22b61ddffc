import type { InvoicedProduct } from '../../domain/invoice';

export interface InvoiceToIssue {
  /** Ours: asked twice with the same id, a provider issues one invoice. */
  invoiceId: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
}

/** Who issues invoices. */
export interface InvoiceProvider {
  name: string;
  /**
   * @returns the provider's own id of the invoice
   * @throws InvoiceRefused when asking again would not help; any other error may heal
   */
  issue(invoice: InvoiceToIssue): Promise<{ providerInvoiceId: string }>;
}

/** The provider's final no, with its reason. */
export class InvoiceRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'InvoiceRefused';
  }
}
