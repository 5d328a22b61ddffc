import type { ServiceDefinition } from '@fiado/chassis/service';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { auditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { issueInvoice } from '@fiado/contracts/jobs/issue-invoice';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { transactionDelivered } from '@fiado/contracts/jobs/transaction-delivered';
import type { TransactionsConfig } from './config';
import { createContext, type Context } from './context';
import { CORNER_STORE_OF_REFUSAL } from './db/refused-corner-store';
import { transactionsSchema } from './db/schema';
import { transactionsEvents } from './http/present-events';
import { routes } from './http/routes';
import { loops } from './jobs/loops';
import { SEALED_TABLES } from './jobs/sealed-tables';
import { jobs } from './jobs/handlers';

/** The transactions service: credit lines and orders. */
export const transactionsService: ServiceDefinition<TransactionsConfig, Context> = {
  name: 'transactions',
  schema: transactionsSchema,
  secrets: ({ CODE_PEPPER, CODE_PEPPER_PREVIOUS }) => ({
    CODE_PEPPER: { current: CODE_PEPPER, previous: CODE_PEPPER_PREVIOUS },
  }),
  sealing: {
    secret: ({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS, BIND_SEALED_VALUES }) => ({
      current: ENCRYPTION_KEY,
      previous: ENCRYPTION_KEY_PREVIOUS,
      bind: BIND_SEALED_VALUES === 'true',
    }),
    tables: SEALED_TABLES,
  },
  createContext,
  closeContext: async ({ accounts, notifier }) => {
    await Promise.all([accounts.close(), notifier.close()]);
  },
  routes,
  jobs,
  publishes: [transactionDelivered, issueInvoice, sendMessage, auditRecorded, announceEvent],
  events: transactionsEvents,
  cornerStoreOfRefusal: CORNER_STORE_OF_REFUSAL,
  loops,
};
