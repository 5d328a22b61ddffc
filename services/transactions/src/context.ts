import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { NOTIFIER_DEADLINE_MS } from '@fiado/chassis/clients/notifier';
import { type ExportParts, openExportFiles } from '@fiado/chassis/exports/exports';
import { createSealer, type Sealer } from '@fiado/chassis/keys/sealing';
import { Loop } from '@fiado/chassis/loop';
import type { Foundation } from '@fiado/chassis/service';
import { SharedRounds } from '@fiado/chassis/shared-rounds';
import type { Lane } from '@fiado/chassis/lanes/lane';
import type { TransactionsConfig } from './config';
import { createCreditUseLane } from './credit-lines/used-credit';
import { creditNoteExport } from './exports/credit-notes';
import { invoiceExport } from './exports/invoices';
import { orderExport } from './exports/orders';
import { statementLineExport } from './exports/statement-lines';
import { createOrderLanes, type OrderLanes } from './orders/order-lanes';
import { type InvoiceProvider, invoiceProviderOf } from './invoices/invoice-provider';

/** The parts that the use cases of this service work with. */
export interface Context extends Foundation<TransactionsConfig>, ExportParts {
  accounts: InternalClient;
  notifier: InternalClient;
  sealer: Sealer;
  /** Calls to accounts, one at a time for a corner store. */
  refreshes: SharedRounds;
  lanes: OrderLanes;
  /** Cents that the line of a corner store has used. */
  creditUse: Lane<string, number | undefined>;
  /** Undefined: nobody issues invoices. */
  invoiceProvider: InvoiceProvider | undefined;
  /** Issues invoices. Wake it when one was stored; its poll would find the row later. */
  invoiceLoop: Loop;
}

/** Name of the loop that issues invoices. */
export const INVOICE_LOOP = 'issue invoices';

/** How often due invoices are looked for. The pauses between attempts are half a minute and more. */
const ISSUE_EVERY_MS = 5_000;

/** @param issueDueInvoices the use case of the loop; a parameter, because it imports this file */
export function createContext(
  foundation: Foundation<TransactionsConfig>,
  issueDueInvoices: (context: Context) => Promise<boolean>,
): Context {
  const { config, db, tokens, log } = foundation;
  const context: Context = {
    ...foundation,
    exportSources: {
      orders: orderExport,
      'credit-notes': creditNoteExport,
      'statement-lines': statementLineExport,
      invoices: invoiceExport,
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
    invoiceLoop: new Loop(log, {
      name: INVOICE_LOOP,
      everyMs: ISSUE_EVERY_MS,
      round: () => issueDueInvoices(context),
    }),
  };
  return context;
}
