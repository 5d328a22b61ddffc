import { exportsSample } from '@fiado/chassis/exports/make-exports';
import { EXPORTS_TABLE } from '@fiado/chassis/exports/wipe-exports';
import { encryptionSecret } from '@fiado/chassis/keys/reseal';
import type { ServiceDefinition } from '@fiado/chassis/service';
import type { TransactionsConfig } from './config';
import { type Context, createContext } from './context';
import { transactionsSchema } from './db/schema';
import { WORDS_TABLE } from './disputes/deny-order';
import { oldestOpenSeconds } from './disputes/list-disputes';
import { SEALED_TABLES } from './db/sealed-columns';
import { INVOICE_FILES_TABLE } from './invoices/invoice-file.entity';
import { issueDueInvoices } from './invoices/issue-invoice';
import { receiveFacturapiWebhook } from './invoices/receive-facturapi-webhook';
import { jobs } from './jobs';
import { loops } from './loops';
import { complementsMissing, oldestOpenDispute, wholesalersBehind } from './metrics';
import { transactionsEvents } from './present-events';
import { routes } from './routes';
import { countBehind } from './statements/close-statements';
import { countMissingComplements } from './tax-documents/missing-complements';

/**
 * SQL of the corner store that a refused request `given` concerns, by the store, the external id or
 * the order that it names: null unless that is the wholesaler's own. Each part reads one index.
 */
const CORNER_STORE_OF_REFUSAL = `coalesce(
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND corner_store_id = given.named_store),
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND external_id = given.external_id),
  (SELECT corner_store_id FROM transactions
    WHERE id = given.named_transaction AND wholesaler_id = given.wholesaler_id))`;

/** The transactions service: credit lines and orders. */
export const transactionsService: ServiceDefinition<TransactionsConfig, Context> = {
  name: 'transactions',
  schema: transactionsSchema,
  secrets: ({ CODE_PEPPER, CODE_PEPPER_PREVIOUS }) => ({
    CODE_PEPPER: { current: CODE_PEPPER, previous: CODE_PEPPER_PREVIOUS },
  }),
  sealing: {
    secret: encryptionSecret,
    tables: SEALED_TABLES,
  },
  createContext: (foundation) => createContext(foundation, issueDueInvoices),
  closeContext: async ({ accounts, notifier, exportFiles }) => {
    await Promise.all([accounts.close(), notifier.close(), exportFiles.close()]);
  },
  routes,
  callbacks: (context) => [receiveFacturapiWebhook(context)],
  jobs,
  sendsTo: ['accounts', 'notifier', 'payments'],
  events: transactionsEvents,
  cornerStoreOfRefusal: CORNER_STORE_OF_REFUSAL,
  loops,
  samples: (context) => [
    exportsSample(context),
    { name: 'statements', read: async () => [wholesalersBehind({}, await countBehind(context))] },
    {
      name: 'tax-documents',
      read: async () => [complementsMissing({}, await countMissingComplements(context))],
    },
    {
      name: 'disputes',
      read: async () => [oldestOpenDispute({}, await oldestOpenSeconds(context))],
    },
  ],
  growingTables: [EXPORTS_TABLE, INVOICE_FILES_TABLE, WORDS_TABLE],
};
