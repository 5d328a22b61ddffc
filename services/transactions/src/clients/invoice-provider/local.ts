import type { InvoiceProvider, ProviderInvoice } from './invoice-provider';

/** Calls no provider: the stored record is the invoice. For sandboxes. */
export const localInvoiceProvider: InvoiceProvider = {
  name: 'local',
  issue: ({ invoiceId }) => Promise.resolve(storedAs(`local-${invoiceId}`)),
  find: (id) => Promise.resolve(storedAs(id)),
};

function storedAs(id: string): ProviderInvoice {
  return { id, isPending: false, status: 'stored', uuid: null, selfInvoiceUrl: null };
}
