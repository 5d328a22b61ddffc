import { join } from 'node:path';
import { InternalClient } from '@fiado/chassis/clients/internal-client';
import { NOTIFIER_DEADLINE_MS } from '@fiado/chassis/clients/notifier';
import {
  createLocalDocumentStore,
  type DocumentStore,
} from '@fiado/chassis/documents/document-store';
import { openS3DocumentStore } from '@fiado/chassis/documents/s3-document-store';
import { createSealer, type Sealer } from '@fiado/chassis/keys/sealing';
import { RowWorker } from '@fiado/chassis/row-jobs/row-worker';
import type { Foundation } from '@fiado/chassis/service';
import { CHANGES_TO_EXECUTE } from './approvals/change-requests.sql';
import { type AuditAnchors, createAuditAnchors } from './audit/audit-anchors';
import type { AccountsConfig } from './config';
import { type CleanImages, createImageCleaner, ImageProcess } from './documents/image-cleaner';
import { type AccessTokenKeys, accessTokenKeysOf } from './keys/access-token';
import { type KnownNames, noNames } from './names/name-index';
import { type PrivacyNotice, privacyNoticeOf } from './privacy/consents';
import { createIdentityProvider, type IdentityProvider } from './staff/identity-provider';
import { createErasedPersons, type ErasedPersons } from './privacy/erased-persons';
import { createPasskeys, type Passkeys } from './staff/passkeys';
import type { Database } from '@fiado/chassis/db/database';
import { Lane } from '@fiado/chassis/lanes/lane';
import {
  type CustomerName,
  type CustomerRow,
  findCustomers,
} from './corner-stores/find-customers.sql';
import { findKeysByHash, findKeysById, type KnownKey } from './keys/known-keys.sql';

/** Lanes: look-ups that arrive at the same time are read by one statement. */
export interface Lanes {
  keysByHash: Lane<Buffer, KnownKey | undefined>;
  keysById: Lane<string, KnownKey | undefined>;
  customers: Lane<CustomerName, CustomerRow | undefined>;
}

export function createLanes(db: Database): Lanes {
  return {
    keysByHash: new Lane({
      name: 'find-keys-by-hash',
      run: (hashes) => findKeysByHash(db, hashes),
      // The owner of the key is not known yet: callers with one key take turns with others.
      tenantOf: (hash) => hash.toString('base64'),
    }),
    keysById: new Lane({
      name: 'find-keys-by-id',
      run: (ids) => findKeysById(db, ids),
      tenantOf: (id) => id,
    }),
    customers: new Lane({
      name: 'find-customers',
      run: (names) => findCustomers(db, names),
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
  };
}

/** The parts that the use cases of this service work with. */
export interface Context extends Foundation<AccountsConfig> {
  /** Makes approved changes. Wake it when one was approved. */
  changeWorker: RowWorker;
  /** The index by which stores are found by name. */
  names: KnownNames;
  lanes: Lanes;
  sealer: Sealer;
  transactions: InternalClient;
  notifier: InternalClient;
  payments: InternalClient;
  /** The notifier, with a longer deadline: reads of ops are worth a longer wait than an SMS budget. */
  messages: InternalClient;
  /** The three services, with a deadline for reading all that is kept of a person. */
  slowTransactions: InternalClient;
  slowPayments: InternalClient;
  slowNotifier: InternalClient;
  documents: DocumentStore;
  privacyNotice: PrivacyNotice;
  auditAnchors: AuditAnchors;
  erasedPersons: ErasedPersons;
  cleanImage: CleanImages;
  imageProcess: ImageProcess;
  passkeys: Passkeys;
  /** Undefined where people sign in with passkeys only. */
  identityProvider: IdentityProvider | undefined;
  accessTokenKeys: AccessTokenKeys;
}

/** Each page may read whole tables, and no caller waits. */
const PERSONAL_DATA_CALLS = { use: 'personal-data', deadlineMs: 60_000 };

/** Below the documents, whose sweep leaves it alone. */
const ERASED_PERSONS_SUBFOLDER = 'erased-persons/';

/** The folder of documents where UPLOADS_URL names no other place. */
export function uploadsFolderOf({ DATA_DIR }: AccountsConfig): string {
  return join(DATA_DIR, 'uploads');
}

/** The S3 store of UPLOADS_URL, or a folder in it; undefined where documents are in a local folder. */
function s3StoreOf(
  { config, timing, log }: Foundation<AccountsConfig>,
  subfolder = '',
): DocumentStore | undefined {
  const { UPLOADS_URL: url, UPLOADS_ACCESS_KEY_ID, UPLOADS_SECRET_ACCESS_KEY } = config;
  if (url === undefined) return undefined;
  return openS3DocumentStore({
    url,
    subfolder,
    accessKeyId: UPLOADS_ACCESS_KEY_ID,
    secretAccessKey: UPLOADS_SECRET_ACCESS_KEY,
    timing,
    log,
  });
}

/** @param executeChange the use case of the worker; a parameter, because it imports this file */
export function createContext(
  foundation: Foundation<AccountsConfig>,
  executeChange: (context: Context, changeRequestId: string) => Promise<void>,
): Context {
  const { config, tokens, keys } = foundation;
  const imageProcess = new ImageProcess();
  const clientOf = (
    upstream: 'transactions' | 'payments' | 'notifier',
    baseUrl: string,
    options?: { use?: string; deadlineMs?: number },
  ): InternalClient => new InternalClient({ upstream, baseUrl, tokens, ...options });
  const parts = { ...foundation, service: 'accounts' as const };
  const context: Context = {
    ...foundation,
    changeWorker: new RowWorker(parts, CHANGES_TO_EXECUTE, (id) => executeChange(context, id)),
    names: noNames(),
    lanes: createLanes(foundation.db),
    sealer: createSealer(foundation.dataKeys.keys),
    documents: s3StoreOf(foundation) ?? createLocalDocumentStore(uploadsFolderOf(config)),
    privacyNotice: privacyNoticeOf(config),
    auditAnchors: createAuditAnchors(join(config.DATA_DIR, 'audit-anchors'), keys),
    // A container can write to the folders of its volumes only, and these lines are copied with the anchors.
    erasedPersons: createErasedPersons(
      join(config.DATA_DIR, 'audit-anchors'),
      s3StoreOf(foundation, ERASED_PERSONS_SUBFOLDER),
    ),
    cleanImage: createImageCleaner(imageProcess, foundation.log),
    imageProcess,
    passkeys: createPasskeys(config.CONSOLE_URL),
    identityProvider: createIdentityProvider(config, foundation.clock),
    accessTokenKeys: accessTokenKeysOf(config),
    transactions: clientOf('transactions', config.TRANSACTIONS_URL),
    payments: clientOf('payments', config.PAYMENTS_URL),
    notifier: clientOf('notifier', config.NOTIFIER_URL, { deadlineMs: NOTIFIER_DEADLINE_MS }),
    messages: clientOf('notifier', config.NOTIFIER_URL, { use: 'timeline' }),
    slowTransactions: clientOf('transactions', config.TRANSACTIONS_URL, PERSONAL_DATA_CALLS),
    slowPayments: clientOf('payments', config.PAYMENTS_URL, PERSONAL_DATA_CALLS),
    slowNotifier: clientOf('notifier', config.NOTIFIER_URL, PERSONAL_DATA_CALLS),
  };
  return context;
}
