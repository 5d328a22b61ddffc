import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { migrate } from '@fiado/shared/chassis/db/migrate';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { startService } from '@fiado/shared/chassis/service';
import { TransactionsConfig } from './config';
import { transactionsSchema } from './db/schema';
import { transactionsService } from './service';

const config = loadConfigOrExit(TransactionsConfig, process.env);
const log = createLogger(transactionsService.name, config.LOG_LEVEL);

void runProcess({
  log,
  start: () => startService(transactionsService, { config, port: config.TRANSACTIONS_PORT, log }),
  migrate: () =>
    migrate({
      schema: transactionsSchema,
      ownerUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
      queuesInPostgres: config.REDIS_URL === undefined,
    }),
});
