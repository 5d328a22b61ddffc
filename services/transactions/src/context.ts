import { createSealer, type Sealer } from '@fiado/chassis/sealing';
import type { Foundation } from '@fiado/chassis/service';
import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { NOTIFIER_DEADLINE_MS } from '@fiado/chassis/clients/notifier';
import { SharedRounds } from '@fiado/chassis/shared-rounds';
import { facturapiInvoiceProvider } from './clients/invoice-provider/facturapi';
import type { InvoiceProvider } from './clients/invoice-provider/invoice-provider';
import { localInvoiceProvider } from './clients/invoice-provider/local';
import type { TransactionsConfig } from './config';

/** What the use cases of this service work with. */
export interface Context extends Foundation<TransactionsConfig> {
  accounts: InternalClient;
  notifier: InternalClient;
  sealer: Sealer;
  /** Calls to accounts, one at a time for a corner store. */
  refreshes: SharedRounds;
  invoiceProvider: InvoiceProvider;
}

export function createContext(foundation: Foundation<TransactionsConfig>): Context {
  const { config, tokens } = foundation;
  return {
    ...foundation,
    accounts: new InternalClient({ neighbour: 'accounts', baseUrl: config.ACCOUNTS_URL, tokens }),
    notifier: new InternalClient({
      neighbour: 'notifier',
      baseUrl: config.NOTIFIER_URL,
      tokens,
      deadlineMs: NOTIFIER_DEADLINE_MS,
    }),
    sealer: createSealer(foundation.dataKeys.keys),
    refreshes: new SharedRounds(),
    invoiceProvider: invoiceProviderOf(config),
  };
}

function invoiceProviderOf(config: TransactionsConfig): InvoiceProvider {
  const { INVOICE_PROVIDER, FACTURAPI_KEY, FACTURAPI_BASE_URL } = config;
  if (INVOICE_PROVIDER === 'local') return localInvoiceProvider;
  return facturapiInvoiceProvider({
    apiKey: FACTURAPI_KEY ?? '',
    baseUrl: FACTURAPI_BASE_URL,
  });
}
