import { runService } from '@fiado/shared/chassis/run-service';
import { TransactionsConfig } from './config';
import { transactionsService } from './service';

runService(transactionsService, TransactionsConfig, {
  env: process.env,
  portOf: (config) => config.TRANSACTIONS_PORT,
});
