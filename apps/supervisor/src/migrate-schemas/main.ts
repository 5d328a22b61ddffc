import '@fiado/chassis/process-setup';
import { accountsSchema } from '@fiado/accounts/db/schema';
import { migrate } from '@fiado/chassis/db/migrate';
import { createLogger } from '@fiado/chassis/logger';
import { runToEnd } from '@fiado/chassis/process';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { transactionsSchema } from '@fiado/transactions/db/schema';

/** The program that brings all schemas up to date. Only one may migrate at a time, so it takes one process and not four. */
const { DATABASE_URL: ownerUrl = '', REDIS_URL, LOG_LEVEL } = process.env;
const log = createLogger('migrate', LOG_LEVEL ?? 'info');

void runToEnd(log, async () => {
  for (const schema of [accountsSchema, transactionsSchema, paymentsSchema, notifierSchema]) {
    try {
      await migrate({ schema, ownerUrl, queuesInPostgres: REDIS_URL === undefined });
    } catch (error) {
      throw new Error(`The schema ${schema.name} is not migrated`, { cause: error });
    }
    log.info({ schema: schema.name }, 'migrated');
  }
});
