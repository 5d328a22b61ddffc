import { runService } from '@fiado/shared/chassis/run-service';
import { PaymentsConfig } from './config';
import { paymentsService } from './service';

runService(paymentsService, PaymentsConfig, {
  env: process.env,
  portOf: (config) => config.PAYMENTS_PORT,
});
