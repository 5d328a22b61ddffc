import type { InvoiceProvider } from './invoice-provider';

/** Issues nothing anywhere: the stored record is the invoice. For sandboxes. */
export const localInvoiceProvider: InvoiceProvider = {
  name: 'local',
  issue: ({ invoiceId }) => Promise.resolve({ providerInvoiceId: `local-${invoiceId}` }),
};
