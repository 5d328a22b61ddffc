import { exportsSample } from '@fiado/chassis/exports/make-exports';
import { EXPORTS_TABLE } from '@fiado/chassis/exports/wipe-exports';
import type { ServiceDefinition } from '@fiado/chassis/service';
import type { PaymentsConfig } from './config';
import { type Context, createContext } from './context';
import { paymentsSchema } from './db/schema';
import { applyDeposit } from './deposits/apply-deposit';
import { DEPOSITS_TO_APPLY } from './deposits/deposit';
import { jobs } from './jobs';
import { loops } from './loops';
import { sampleNotices } from './notices/send-notices';
import { sampleDeposits } from './ops/figures';
import { samplePortfolio } from './portfolio/fill-portfolio';
import { paymentsEvents } from './present-events';
import { routes } from './routes';

/** The payments service: what corner stores owe, and what was paid. */
export const paymentsService: ServiceDefinition<PaymentsConfig, Context> = {
  name: 'payments',
  schema: paymentsSchema,
  createContext: (foundation) => createContext(foundation, applyDeposit),
  closeContext: async ({ depositWorker, accounts, transactions, exportFiles, replica }) => {
    await depositWorker.close();
    await Promise.all([
      accounts.close(),
      transactions.close(),
      exportFiles.close(),
      replica?.close(),
    ]);
  },
  routes,
  jobs,
  rowJobs: [DEPOSITS_TO_APPLY],
  sendsTo: ['accounts', 'notifier', 'transactions'],
  events: paymentsEvents,
  samples: (context) => [
    { name: 'deposits', read: () => sampleDeposits(context) },
    { name: 'notices', read: () => sampleNotices(context) },
    { name: 'portfolio', read: () => samplePortfolio(context) },
    exportsSample(context),
  ],
  loops,
  growingTables: [
    EXPORTS_TABLE,
    // Longer than any reminder could be written for the same debt again: 30 days after its last day.
    { name: 'notices', key: 'id', endedAt: 'decided_at', keepHours: 90 * 24 },
  ],
};
