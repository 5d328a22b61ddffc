import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { NOTIFIER_DEADLINE_MS } from '@fiado/chassis/clients/notifier';
import { type ExportParts, openExportFiles } from '@fiado/chassis/exports/exports';
import { createSealer, type Sealer } from '@fiado/chassis/keys/sealing';
import type { Foundation } from '@fiado/chassis/service';
import { SharedRounds } from '@fiado/chassis/shared-rounds';
import type { Lane } from '@fiado/chassis/lanes/lane';
import type { TransactionsConfig } from './config';
import { createCreditUseLane } from './credit-lines/used-credit';
import { creditNoteExport } from './exports/credit-notes';
import { orderExport } from './exports/orders';
import { statementLineExport } from './exports/statement-lines';
import { createOrderLanes, type OrderLanes } from './orders/order-lanes';
import { type InvoiceProvider, invoiceProviderOf } from './invoices/invoice-provider';

/** What the use cases of this service work with. */
export interface Context extends Foundation<TransactionsConfig>, ExportParts {
  accounts: InternalClient;
  notifier: InternalClient;
  sealer: Sealer;
  /** Calls to accounts, one at a time for a corner store. */
  refreshes: SharedRounds;
  lanes: OrderLanes;
  /** Cents that the line of a corner store has used. */
  creditUse: Lane<string, number | undefined>;
  invoiceProvider: InvoiceProvider;
}

export function createContext(foundation: Foundation<TransactionsConfig>): Context {
  const { config, db, tokens } = foundation;
  return {
    ...foundation,
    exportSources: {
      orders: orderExport,
      'credit-notes': creditNoteExport,
      'statement-lines': statementLineExport,
    },
    exportFiles: openExportFiles('transactions', foundation),
    accounts: new InternalClient({ upstream: 'accounts', baseUrl: config.ACCOUNTS_URL, tokens }),
    notifier: new InternalClient({
      upstream: 'notifier',
      baseUrl: config.NOTIFIER_URL,
      tokens,
      deadlineMs: NOTIFIER_DEADLINE_MS,
    }),
    sealer: createSealer(foundation.dataKeys.keys),
    refreshes: new SharedRounds(),
    lanes: createOrderLanes(db),
    creditUse: createCreditUseLane(db),
    invoiceProvider: invoiceProviderOf(config),
  };
}
