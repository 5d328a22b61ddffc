import { loadConfig } from '@fiado/chassis/config';
import { Database } from '@fiado/chassis/db/database';
import type { Schema } from '@fiado/chassis/db/schema';
import { InternalTokens } from '@fiado/chassis/keys/internal-token';
import { madeAfterBlock } from '@fiado/chassis/privacy/after-block';
import { WorkerGate } from '@fiado/chassis/jobs/worker-gate';
import type { JobRoute } from '@fiado/chassis/jobs/worker';
import { DataKeys, firstDataKeys } from '@fiado/chassis/keys/data-keys';
import { noDataKeys } from '@fiado/chassis/keys/open-data-keys';
import { createLogger } from '@fiado/chassis/logger';
import { Loop } from '@fiado/chassis/loop';
import { processKeysOf } from '@fiado/chassis/keys/process-keys';
import type { Foundation } from '@fiado/chassis/service';
import type { ServiceConfig } from '@fiado/chassis/service-config';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import type { BlockedPerson } from '@fiado/contracts/personal-data';
import type { SnapshotsQuestion } from '@fiado/contracts/corner-store';
import { knownChangesCall, type KnownChangesQuestion } from '@fiado/contracts/known-changes';
import type { DeliveredOrderQuestion } from '@fiado/contracts/debts';
import { AppError } from '@fiado/contracts/errors';
import type { ProcessName } from '@fiado/contracts/process-names';
import { AccountsConfig } from '../../../services/accounts/src/config';
import type { Context as Accounts } from '../../../services/accounts/src/context';
import { accountsService } from '../../../services/accounts/src/service';
import { answerKnownChanges } from '../../../services/accounts/src/approvals/answer-known-changes';
import { answerSnapshots } from '../../../services/accounts/src/snapshots/answer-snapshots';
import { NotifierConfig } from '../../../services/notifier/src/config';
import type { Context as Notifier } from '../../../services/notifier/src/context';
import { TOLD_AFTER_BLOCK } from '../../../services/notifier/src/db/personal-data';
import { notifierService } from '../../../services/notifier/src/service';
import { PaymentsConfig } from '../../../services/payments/src/config';
import type { Context as Payments } from '../../../services/payments/src/context';
import { paymentsService } from '../../../services/payments/src/service';
import { TransactionsConfig } from '../../../services/transactions/src/config';
import type { Context as Transactions } from '../../../services/transactions/src/context';
import { ORDERED_AFTER_BLOCK } from '../../../services/transactions/src/db/personal-data';
import { findDelivered } from '../../../services/transactions/src/deliveries/delivered-order';
import { transactionsService } from '../../../services/transactions/src/service';
import { createSimulationDatabase, type SimulationDatabase } from './database';

/** The product: its services in one process on one real database, without HTTP and queues. */
export interface System {
  accounts: Accounts;
  transactions: Transactions;
  payments: Payments;
  /** Histories leave it out. */
  notifier: Notifier;
  database: SimulationDatabase;
  /** The handlers of each service's jobs, by the name of its queue. */
  jobs: Map<string, JobRoute[]>;
  /** The time that services and database share, in milliseconds. */
  now: number;
  /** Whether transactions can reach accounts. */
  accountsUp: boolean;
  close(): Promise<void>;
}

export async function openSystem(): Promise<System> {
  const services = [accountsService, transactionsService, paymentsService, notifierService];
  const database = await createSimulationDatabase(services.map(({ schema }) => schema));
  const time = { now: 0 };
  const lay = <Config extends ServiceConfig>(schema: Schema, ConfigClass: new () => Config) =>
    openFoundation(schema, ConfigClass, { database, time });

  const accounts = accountsService.createContext(await lay(accountsService.schema, AccountsConfig));
  const transactions = transactionsService.createContext(
    await lay(transactionsService.schema, TransactionsConfig),
  );
  const payments = paymentsService.createContext(await lay(paymentsService.schema, PaymentsConfig));
  const notifier = notifierService.createContext(await lay(notifierService.schema, NotifierConfig));
  const system: System = {
    accounts,
    transactions,
    payments,
    notifier,
    database,
    jobs: new Map(),
    get now() {
      return time.now;
    },
    set now(ms) {
      time.now = ms;
    },
    accountsUp: true,
    close: async () => {
      await accountsService.closeContext(accounts);
      await transactionsService.closeContext(transactions);
      await paymentsService.closeContext(payments);
      await notifierService.closeContext(notifier);
      await Promise.all([accounts, transactions, payments, notifier].map(({ db }) => db.close()));
      await database.drop();
    },
  };
  connectServices(system);
  system.jobs.set('accounts', accountsService.jobs(accounts));
  system.jobs.set('transactions', transactionsService.jobs(transactions));
  system.jobs.set('payments', paymentsService.jobs(payments));
  system.jobs.set('notifier', notifierService.jobs(notifier));
  return system;
}

/** A call from service to service is a call of the function behind the other's route. */
function connectServices(system: System): void {
  const { accounts, transactions, payments, notifier } = system;
  const answerKnown = async <Answer>(question: object) =>
    (await answerKnownChanges(accounts, question as KnownChangesQuestion)) as Answer;
  payments.accounts.ask = <Answer>(_call: object, question: object) =>
    answerKnown<Answer>(question);
  transactions.accounts.ask = async <Answer>(call: object, question: object) => {
    if (call === knownChangesCall) return answerKnown<Answer>(question);
    if (!system.accountsUp) throw new AppError('SERVICE_UNAVAILABLE');
    return (await answerSnapshots(accounts, question as SnapshotsQuestion)) as Answer;
  };
  const answerAfterBlock =
    (db: Database, isMade: string) =>
    async <Answer>(_call: object, question: object): Promise<Answer> => {
      const { persons } = question as { persons: BlockedPerson[] };
      return { cornerStoreIds: await madeAfterBlock(db, isMade, persons) } as Answer;
    };
  accounts.transactions.ask = answerAfterBlock(transactions.db, ORDERED_AFTER_BLOCK);
  accounts.messages.ask = answerAfterBlock(notifier.db, TOLD_AFTER_BLOCK);
  payments.transactions.ask = async <Answer>(_call: object, question: object) => {
    const { wholesalerId, transactionId } = question as DeliveredOrderQuestion;
    const found = await findDelivered(transactions.db, wholesalerId, transactionId);
    if (found === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    return found as Answer;
  };
}

async function openFoundation<Config extends ServiceConfig>(
  schema: Schema,
  ConfigClass: new () => Config,
  { database, time }: { database: SimulationDatabase; time: { now: number } },
): Promise<Foundation<Config>> {
  const name = schema.name as ProcessName;
  const config = loadConfig(ConfigClass, {
    ...TEST_ENVIRONMENT,
    ...testKeyVariables(name),
    DATABASE_URL: database.ownerUrl,
    LOG_LEVEL: 'silent',
  });
  const keys = processKeysOf(name, config);
  const log = createLogger(schema.name, config.LOG_LEVEL);
  const connection = {
    url: config.DATABASE_URL,
    poolSize: config.POOL_SIZE,
    preparedStatements: true,
    connectTimeoutMs: TEST_TIMING.connect,
  };
  const db = Database.open(schema, connection, () => {});
  const dataKeys = new DataKeys();
  dataKeys.take(firstDataKeys(TEST_ENVIRONMENT.ENCRYPTION_KEY), Infinity);
  return {
    config,
    db,
    // Nothing here runs a queue: the simulation carries the outbox itself.
    queues: undefined as unknown as Foundation['queues'],
    relay: new Loop(log, { name: 'outbox relay', everyMs: 1_000, round: async () => {} }),
    gate: new WorkerGate(),
    keys,
    dataKeys: { ...noDataKeys, keys: dataKeys },
    tokens: new InternalTokens(keys),
    clock: { now: () => new Date(time.now) },
    timing: TEST_TIMING,
    log,
  };
}
