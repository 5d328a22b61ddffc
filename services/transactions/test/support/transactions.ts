import { randomUUID } from 'node:crypto';
import { wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  startTestService,
  type TestOptions,
  type TestService,
} from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import type { Caller } from '@fiado/contracts/caller';
import type { CornerStoreSnapshot, WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { cornerStoreChanged, wholesalerChanged } from '@fiado/contracts/jobs/corner-stores';
import { type SealedSms, SMS_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { TransactionsConfig } from '../../src/config';
import type { Context } from '../../src/context';
import { transactionsService } from '../../src/service';
import { AN_ORDER } from './orders';
import { startUpstreamAccounts, type UpstreamAccounts } from './upstream-accounts';

export const PHONE = '+525512345678';

export interface CornerStore {
  caller: Caller;
  cornerStoreId: string;
  userId: string;
}

/** The service on its own database, with a stand-in for accounts. */
export interface TransactionsService extends TestService<Context> {
  accounts: UpstreamAccounts;
  /** A phone as in the snapshot of a corner store. */
  sealedPhone(cornerStoreId: string, phone?: string): string;
  /** An approved corner store of a wholesaler, created by events of accounts. */
  createCornerStore(options?: CornerStoreOptions): Promise<CornerStore>;
  /** A corner store that only accounts knows of. */
  createCornerStoreInAccounts(options?: CornerStoreOptions): CornerStore;
  order(store: CornerStore, body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** The newest SMS about a subject, opened as the notifier would. */
  lastSms(subjectId: string): Promise<SealedSms>;
  usedCents(cornerStoreId: string): Promise<number>;
  statusOf(store: CornerStore, transactionId: string): Promise<string>;
  /**
   * The answer to a request that waited for the lock of a credit line while the line was changed, or
   * the answers to several.
   * @param change the assignment, such as `overdue = true`
   * @param statement part of the waiting statement
   */
  answeredAfter<Answered>(
    change: string,
    options: { store: CornerStore; statement: string; request: () => Promise<Answered> },
  ): Promise<Answered>;
  /** Fails when a line's ledger does not sum up to what it has used. */
  checkLedger(): Promise<void>;
}

interface CornerStoreOptions {
  store?: Partial<CornerStoreSnapshot>;
  settings?: Partial<WholesalerSnapshot>;
  caller?: Caller;
  version?: number;
}

export async function startTransactions(
  config: Record<string, string> = {},
  options: Omit<TestOptions<TransactionsConfig>, 'config'> = {},
): Promise<TransactionsService> {
  const accounts = await startUpstreamAccounts();
  const service = await startTestService(transactionsService, TransactionsConfig, {
    ...options,
    config: { ACCOUNTS_URL: accounts.url, ...config },
  });
  const { context } = service;

  const sealedPhone = (cornerStoreId: string, phone = PHONE) =>
    context.sealer.seal(phone, 'phone', cornerStoreId).toString('base64');

  function snapshotsOf({ store, settings, caller = wholesaler() }: CornerStoreOptions) {
    const cornerStoreId = store?.cornerStoreId ?? randomUUID();
    const cornerStoreSnapshot: CornerStoreSnapshot = {
      cornerStoreId,
      userId: randomUUID(),
      status: 'approved',
      creditLimitCents: 1_000_000,
      interestRate: '0.05',
      phoneSealed: sealedPhone(cornerStoreId),
      customers: [{ wholesalerId: caller.id, externalId: 'tienda-1' }],
      ...store,
    };
    const wholesalerSettings: WholesalerSnapshot = {
      wholesalerId: caller.id,
      name: caller.name,
      minimumTransactionCents: 10_000,
      commissionRate: '0.02',
      paymentTermDays: 14,
      deliveryWordEnabled: true,
      deliveryWordRequired: false,
      confirmationRequired: true,
      deliveryOverageRate: '0.10',
      phoneChangeHold: 'shared',
      batchEnabled: true,
      batchItemsPerDay: 0,
      ...settings,
    };
    const { userId } = cornerStoreSnapshot;
    return { store: { caller, cornerStoreId, userId }, cornerStoreSnapshot, wholesalerSettings };
  }

  return {
    ...service,
    accounts,
    sealedPhone,
    createCornerStore: async (options = {}) => {
      const version = options.version ?? 1;
      const { store, cornerStoreSnapshot, wholesalerSettings } = snapshotsOf(options);
      await service.handle(wholesalerChanged, { id: store.caller.id, version }, wholesalerSettings);
      await service.handle(
        cornerStoreChanged,
        { id: store.cornerStoreId, version },
        cornerStoreSnapshot,
      );
      return store;
    },
    createCornerStoreInAccounts: (options = {}) => {
      const version = options.version ?? 1;
      const { store, cornerStoreSnapshot, wholesalerSettings } = snapshotsOf(options);
      accounts.wholesalers.set(store.caller.id, { version, snapshot: wholesalerSettings });
      accounts.cornerStores.set(store.cornerStoreId, { version, snapshot: cornerStoreSnapshot });
      return store;
    },
    order: (store, body = {}, headers = {}) =>
      service.call(store.caller, 'POST', '/v1/transaction', {
        body: { cornerStoreId: store.cornerStoreId, ...AN_ORDER, ...body },
        headers,
      }),
    lastSms: async (subjectId) => {
      const rows = await service.rows<{ sealed: string }>(
        // By id: created_at is when its database transaction began, which may have waited for
        // another.
        `SELECT data->>'sealed' AS sealed FROM outbox
          WHERE type = 'send-message' AND aggregate_id = $1 ORDER BY id DESC LIMIT 1`,
        [subjectId],
      );
      const sealed = Buffer.from(rows[0]?.sealed ?? '', 'base64');
      return JSON.parse(context.sealer.open(sealed, SMS_PURPOSE, subjectId)) as SealedSms;
    },
    usedCents: async (cornerStoreId) => {
      const [line] = await service.rows<{ used_cents: number }>(
        'SELECT used_cents FROM credit_lines WHERE corner_store_id = $1',
        [cornerStoreId],
      );
      return line?.used_cents ?? 0;
    },
    statusOf: async (store, transactionId) => {
      const read = await service.call(store.caller, 'GET', `/v1/transaction/${transactionId}`);
      return read.body.transactionStatus;
    },
    answeredAfter: async (change, { store, statement, request }) => {
      // In an object: a database transaction would wait for the answer itself.
      const waiting = await context.db.transaction(async (tx) => {
        await tx.connection.query(`UPDATE credit_lines SET ${change} WHERE corner_store_id = $1`, [
          store.cornerStoreId,
        ]);
        const answer = request();
        await until('the request waits for the line', async () => {
          const [row] = await service.rows<{ waits: boolean }>(
            `SELECT EXISTS (SELECT FROM pg_stat_activity
                             WHERE datname = current_database() AND wait_event_type = 'Lock'
                               AND query LIKE '%' || $1 || '%') AS waits`,
            [statement],
          );
          return row?.waits === true;
        });
        return { answer };
      });
      return waiting.answer;
    },
    checkLedger: async () => {
      const differences = await service.rows(
        `SELECT line.corner_store_id, line.used_cents, sum(entry.amount_cents) AS entries
           FROM credit_lines line LEFT JOIN credit_entries entry USING (corner_store_id)
          GROUP BY line.corner_store_id
         HAVING line.used_cents <> coalesce(sum(entry.amount_cents), 0)`,
      );
      expect(differences).toEqual([]);
    },
    stop: async () => {
      await service.stop();
      await accounts.stop();
    },
  };
}
