import { exportsSample } from '@fiado/chassis/exports/make-exports';
import { EXPORTS_TABLE } from '@fiado/chassis/exports/wipe-exports';
import type { ServiceDefinition } from '@fiado/chassis/service';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { auditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import {
  paymentsChangeExecuted,
  depositChangeRequested,
  payoutChangeRequested,
  receivableChangeRequested,
} from '@fiado/contracts/jobs/changes';
import {
  defaultsChanged,
  paymentApplied,
  paymentReversed,
  receivableCredited,
} from '@fiado/contracts/jobs/debts';
import { notifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import { personErased } from '@fiado/contracts/jobs/privacy';
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
  publishes: [
    depositChangeRequested,
    paymentsChangeExecuted,
    payoutChangeRequested,
    receivableChangeRequested,
    paymentApplied,
    paymentReversed,
    receivableCredited,
    defaultsChanged,
    notifyCornerStore,
    announceEvent,
    personErased,
    auditRecorded,
  ],
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
