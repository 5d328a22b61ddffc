import type { Foundation } from '@fiado/chassis/service';
import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { type ExportParts, openExportFiles } from '@fiado/chassis/exports/exports';
import type { PaymentsConfig } from './config';
import { createDepositLane, type DepositLane } from './deposits/deposit-lane';
import { debtExport } from './exports/debts';
import { depositExport } from './exports/deposits';
import { ledgerEntryExport } from './exports/ledger-entries';

/** What use cases, handlers and jobs of payments work with. */
export interface Context extends Foundation<PaymentsConfig>, ExportParts {
  lanes: { deposits: DepositLane };
  accounts: InternalClient;
  transactions: InternalClient;
}

export function createContext(foundation: Foundation<PaymentsConfig>): Context {
  const { config, db, tokens } = foundation;
  return {
    ...foundation,
    lanes: { deposits: createDepositLane(db) },
    exportSources: {
      debts: debtExport,
      deposits: depositExport,
      'ledger-entries': ledgerEntryExport,
    },
    exportFiles: openExportFiles('payments', foundation),
    accounts: new InternalClient({ upstream: 'accounts', baseUrl: config.ACCOUNTS_URL, tokens }),
    transactions: new InternalClient({
      upstream: 'transactions',
      baseUrl: config.TRANSACTIONS_URL,
      tokens,
    }),
  };
}
