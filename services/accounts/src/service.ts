import type { ServiceDefinition } from '@fiado/chassis/service';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { cornerStoreChanged } from '@fiado/contracts/jobs/corner-store-changed';
import { depositChangeDecided } from '@fiado/contracts/jobs/deposit-change-decided';
import { executeChange } from '@fiado/contracts/jobs/execute-change';
import { openSandboxDefault } from '@fiado/contracts/jobs/open-sandbox-default';
import { payoutChangeDecided } from '@fiado/contracts/jobs/payout-change-decided';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { timeZoneChanged } from '@fiado/contracts/jobs/time-zone-changed';
import { wholesalerChanged } from '@fiado/contracts/jobs/wholesaler-changed';
import { requireSharedFolder } from './clients/document-store/require-shared-folder';
import type { AccountsConfig } from './config';
import { createContext, uploadsFolderOf, type Context } from './context';
import { CORNER_STORE_OF_REFUSAL } from './db/refused-corner-store';
import { accountsSchema } from './db/schema';
import { accountsEvents } from './http/present-events';
import { routes } from './http/routes';
import { jobs } from './jobs/handlers';
import { SEALED_TABLES } from './jobs/sealed-tables';
import { createAuditAnchoring } from './use-cases/anchor-audit-chain';
import { createAuditChain } from './use-cases/chain-audit-log';
import { createChangeExpiry } from './use-cases/expire-change-requests';
import { sealDocumentAnew } from './use-cases/seal-document-anew';
import { sampleAuditChain } from './use-cases/sample-audit-chain';
import { createDataKeySpread } from './use-cases/spread-data-keys';
import { createDocumentSweep } from './use-cases/sweep-documents';

/** The accounts service: wholesalers, credentials, users, corner stores and verifications. */
export const accountsService: ServiceDefinition<AccountsConfig, Context> = {
  name: 'accounts',
  schema: accountsSchema,
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
    sealFile: sealDocumentAnew,
  },
  checkStart: async (db, config) => {
    if (config.UPLOADS_URL === undefined) await requireSharedFolder(db, uploadsFolderOf(config));
  },
  createContext,
  closeContext: async ({ transactions, notifier, payments, messages, imageProcess, documents }) => {
    const clients = [transactions, notifier, payments, messages, imageProcess, documents];
    await Promise.all(clients.map((client) => client.close()));
  },
  routes,
  jobs,
  publishes: [
    cornerStoreChanged,
    wholesalerChanged,
    sendMessage,
    timeZoneChanged,
    announceEvent,
    openSandboxDefault,
    executeChange,
    depositChangeDecided,
    payoutChangeDecided,
  ],
  events: () => accountsEvents,
  samples: (context) => [{ name: 'audit-chain', read: () => sampleAuditChain(context) }],
  loops: (context) => [
    createDocumentSweep(context),
    createDataKeySpread(context),
    createAuditChain(context),
    createAuditAnchoring(context),
    createChangeExpiry(context),
  ],
  cornerStoreOfRefusal: CORNER_STORE_OF_REFUSAL,
  growingTables: [
    // The links of the last 24 hours are counted.
    { name: 'account_links', key: 'id', endedAt: 'expires_at', keepHours: 24 },
  ],
};
