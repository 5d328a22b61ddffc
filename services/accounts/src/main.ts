import '@fiado/chassis/process-setup';
import { runService } from '@fiado/chassis/run-service';
import { AccountsConfig } from './config';
import { accountsSchema } from './db/schema';

runService(
  {
    schema: accountsSchema,
    Config: AccountsConfig,
    load: async () => (await import('./service.js')).accountsService,
    portOf: (config) => config.ACCOUNTS_PORT,
  },
  process.env,
);
