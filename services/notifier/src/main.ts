import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { migrate } from '@fiado/shared/chassis/db/migrate';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { startService } from '@fiado/shared/chassis/service';
import { NotifierConfig } from './config';
import { notifierSchema } from './db/schema';
import { notifierService } from './service';

const config = loadConfigOrExit(NotifierConfig, process.env);
const log = createLogger(notifierService.name, config.LOG_LEVEL);

void runProcess({
  log,
  start: () => startService(notifierService, { config, port: config.NOTIFIER_PORT, log }),
  migrate: () =>
    migrate({
      schema: notifierSchema,
      ownerUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
      queuesInPostgres: config.REDIS_URL === undefined,
    }),
});
