import { Database } from '@fiado/chassis/db/database';
import type { Foundation } from '@fiado/chassis/service';
import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { type ExportParts, openExportFiles } from '@fiado/chassis/exports/exports';
import { RowWorker } from '@fiado/chassis/row-jobs/row-worker';
import type { PaymentsConfig } from './config';
import { paymentsSchema } from './db/schema';
import { DEPOSITS_TO_APPLY } from './deposits/deposit';
import { createDepositLane, type DepositLane } from './deposits/insert-deposits.sql';
import { debtExport } from './exports/debts';
import { depositExport } from './exports/deposits';
import { ledgerEntryExport } from './exports/ledger-entries';

/** The parts that the use cases of this service work with. */
export interface Context extends Foundation<PaymentsConfig>, ExportParts {
  lanes: { deposits: DepositLane };
  /** Applies deposits. Wake it when one was stored. */
  depositWorker: RowWorker;
  accounts: InternalClient;
  transactions: InternalClient;
  /** The database of READ_DATABASE_URL. */
  replica: Database | undefined;
}

/** @param applyDeposit the use case of the worker; a parameter, because it imports this file */
export function createContext(
  foundation: Foundation<PaymentsConfig>,
  applyDeposit: (context: Context, depositId: string) => Promise<void>,
): Context {
  const { config, db, tokens } = foundation;
  const parts = { ...foundation, service: 'payments' as const };
  const context: Context = {
    ...foundation,
    lanes: { deposits: createDepositLane(db) },
    depositWorker: new RowWorker(parts, DEPOSITS_TO_APPLY, (id) => applyDeposit(context, id)),
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
    replica: openReplica(foundation),
  };
  return context;
}

/** One connection, which is open while days are read. @returns undefined without READ_DATABASE_URL */
export function openReplica({
  config,
  log,
}: Pick<Foundation<PaymentsConfig>, 'config' | 'log'>): Database | undefined {
  if (config.READ_DATABASE_URL === undefined) return undefined;
  const connection = {
    url: config.READ_DATABASE_URL,
    poolSize: 1,
    preparedStatements: config.PREPARED_STATEMENTS === 'on',
    isReplica: true,
  } as const;
  return Database.open(paymentsSchema, connection, (error) =>
    log.warn({ reason: error.message }, 'connection to the replica lost'),
  );
}
