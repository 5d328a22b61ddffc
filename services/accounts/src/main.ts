import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { migrate } from '@fiado/shared/chassis/db/migrate';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { startService } from '@fiado/shared/chassis/service';
import { AccountsConfig } from './config';
import { accountsSchema } from './db/schema';
import { accountsService } from './service';

const config = loadConfigOrExit(AccountsConfig, process.env);
const log = createLogger(accountsService.name, config.LOG_LEVEL);

void runProcess({
  log,
  start: () => startService(accountsService, { config, port: config.ACCOUNTS_PORT, log }),
  migrate: () =>
    migrate({
      schema: accountsSchema,
      ownerUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
      queuesInPostgres: config.REDIS_URL === undefined,
    }),
});
