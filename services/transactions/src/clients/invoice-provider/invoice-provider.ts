import type { InvoicedProduct } from '../../domain/invoice';

export interface InvoiceToIssue {
  /** Our id, used as the idempotency key: the provider issues one invoice for it. */
  invoiceId: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
}

/** An invoice as its provider has it. */
export interface ProviderInvoice {
  /** The provider's own id. */
  id: string;
  /** Whether the provider is still processing it; look it up again later. */
  isPending: boolean;
  /** The provider's name of its state. */
  status: string;
  /** The tax authority's id, once there is one. */
  uuid: string | null;
  /** Where the customer turns a receipt into an invoice of its own. */
  selfInvoiceUrl: string | null;
}

/** Who issues invoices. */
export interface InvoiceProvider {
  name: string;
  /** @throws InvoiceRefused when asking again would not help; any other error may be temporary */
  issue(invoice: InvoiceToIssue): Promise<ProviderInvoice>;
  /**
   * Looks up an invoice that the provider was still processing, by the provider's id.
   * @throws InvoiceRefused when it will never be issued; any other error may be temporary
   */
  find(providerInvoiceId: string): Promise<ProviderInvoice>;
}

/** The provider's final refusal, with its reason. */
export class InvoiceRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'InvoiceRefused';
  }
}
