import '@fiado/chassis/process-setup';
import { runService } from '@fiado/chassis/run-service';
import { PaymentsConfig } from './config';
import { paymentsSchema } from './db/schema';

runService(
  {
    schema: paymentsSchema,
    Config: PaymentsConfig,
    load: async () => (await import('./service.js')).paymentsService,
    portOf: (config) => config.PAYMENTS_PORT,
  },
  process.env,
);
