import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { migrate } from '@fiado/shared/chassis/db/migrate';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { startService } from '@fiado/shared/chassis/service';
import { PaymentsConfig } from './config';
import { paymentsService } from './service';

const config = loadConfigOrExit(PaymentsConfig, process.env);
const log = createLogger(paymentsService.name, config.LOG_LEVEL);

void runProcess({
  log,
  start: () => startService(paymentsService, { config, port: config.PAYMENTS_PORT, log }),
  migrate: () =>
    migrate({
      schema: paymentsService.schema,
      ownerUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
      queuesInPostgres: config.REDIS_URL === undefined,
    }),
});
