import { runService } from '@fiado/shared/chassis/run-service';
import { AccountsConfig } from './config';
import { accountsService } from './service';

runService(accountsService, AccountsConfig, {
  env: process.env,
  portOf: (config) => config.ACCOUNTS_PORT,
});
