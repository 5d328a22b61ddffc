import '@fiado/chassis/process-setup';
import { runService } from '@fiado/chassis/run-service';
import { TransactionsConfig } from './config';
import { transactionsSchema } from './db/schema';

runService(
  {
    schema: transactionsSchema,
    Config: TransactionsConfig,
    load: async () => (await import('./service.js')).transactionsService,
    portOf: (config) => config.TRANSACTIONS_PORT,
  },
  process.env,
);
