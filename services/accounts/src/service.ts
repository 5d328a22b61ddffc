import { requireSharedFolder } from '@fiado/chassis/documents/document-store';
import { encryptionSecret } from '@fiado/chassis/keys/reseal';
import type { EventPresenters } from '@fiado/chassis/outbox/events';
import type { ServiceDefinition } from '@fiado/chassis/service';
import { amountOf } from '@fiado/contracts/money';
import { sampleAuditChain } from './audit/chain-audit-log';
import type { AccountsConfig } from './config';
import { CHANGES_TO_EXECUTE } from './approvals/change-requests.sql';
import { executeChange } from './approvals/execute-change';
import { type Context, createContext, uploadsFolderOf } from './context';
import { shownStatus } from './corner-stores/corner-store.rules';
import type { CustomerRow } from './corner-stores/find-customers.sql';
import { accountsSchema } from './db/schema';
import { SEALED_TABLES } from './db/sealed-columns';
import { resealDocument } from './documents/sweep-documents';
import { jobs } from './jobs';
import { loops } from './loops';
import { sampleNames } from './names/keep-names';
import { samplePrivacyRequests } from './privacy/privacy-request';
import { routes } from './routes';

/** The objects of this service's events, from what the triggers of its schema wrote. */
const accountsEvents: EventPresenters = {
  'verification.approved': presentWrittenVerification,
  'onboarding.completed': presentWrittenCornerStore,
  'corner-store.status-changed': presentWrittenCornerStore,
  'corner-store.limit-changed': presentWrittenCornerStore,
  // Ids only: the event outlives the data.
  'corner-store.blocked': (store: object) => store,
  'corner-store.erased': (store: object) => store,
};

/**
 * SQL of the corner store that a refused request `given` concerns, by the store, the external id or
 * the user that it names: null unless that is a customer of the wholesaler. Each part reads one index.
 */
const CORNER_STORE_OF_REFUSAL = `coalesce(
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND corner_store_id = given.named_store),
  (SELECT corner_store_id FROM customers
    WHERE wholesaler_id = given.wholesaler_id AND external_id = given.external_id),
  (SELECT c.corner_store_id FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
    WHERE c.wholesaler_id = given.wholesaler_id AND s.user_id = given.named_user))`;

/** The accounts service: wholesalers, credentials, users, corner stores and verifications. */
export const accountsService: ServiceDefinition<AccountsConfig, Context> = {
  name: 'accounts',
  schema: accountsSchema,
  secrets: ({ CODE_PEPPER, CODE_PEPPER_PREVIOUS }) => ({
    CODE_PEPPER: { current: CODE_PEPPER, previous: CODE_PEPPER_PREVIOUS },
  }),
  sealing: {
    secret: encryptionSecret,
    tables: SEALED_TABLES,
    sealFile: resealDocument,
  },
  checkStart: async (db, config) => {
    if (config.UPLOADS_URL === undefined) await requireSharedFolder(db, uploadsFolderOf(config));
  },
  createContext: (foundation) => createContext(foundation, executeChange),
  closeContext: async ({ imageProcess, documents, erasedPersons, ...context }) => {
    await context.changeWorker.close();
    const { transactions, notifier, payments, messages } = context;
    const slow = [context.slowTransactions, context.slowPayments, context.slowNotifier];
    const stores = [documents, erasedPersons];
    const clients = [transactions, notifier, payments, messages, ...slow, imageProcess, ...stores];
    await Promise.all(clients.map((client) => client.close()));
  },
  routes,
  jobs,
  rowJobs: [CHANGES_TO_EXECUTE],
  sendsTo: ['notifier', 'payments', 'transactions'],
  events: () => accountsEvents,
  samples: (context) => [
    { name: 'audit-chain', read: () => sampleAuditChain(context) },
    { name: 'privacy-requests', read: () => samplePrivacyRequests(context) },
    { name: 'names', read: () => sampleNames(context) },
  ],
  loops,
  cornerStoreOfRefusal: CORNER_STORE_OF_REFUSAL,
  growingTables: [
    // As 1.0 made them. The table goes with the next release.
    { name: 'account_links', key: 'id', endedAt: 'expires_at', keepHours: 24 },
    // The SMS of the last 24 hours are counted.
    { name: 'account_visits', key: 'id', endedAt: 'expires_at', keepHours: 24 },
    // A process that did not read them for a day was stopped, and reads all names anew.
    { name: 'name_changes', key: 'seq', endedAt: 'changed_at', keepHours: 24 },
  ],
};

/** The available credit is stored in transactions, so the event has the limit. */
function presentWrittenCornerStore(store: CustomerRow): object {
  return {
    externalId: store.externalId,
    userId: store.userId,
    cornerStoreId: store.cornerStoreId,
    status: shownStatus(store.status, store.overdue),
    creditLimit: amountOf(store.creditLimitCents),
    interestRate: Number(store.interestRate),
  };
}

function presentWrittenVerification(verification: {
  verificationId: string;
  userId: string;
}): object {
  const { verificationId, userId } = verification;
  return { verificationId, userId, verificationStatus: 'approved' };
}
