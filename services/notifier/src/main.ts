import '@fiado/chassis/user-signals';
import { runService } from '@fiado/chassis/run-service';
import { NotifierConfig } from './config';
import { notifierSchema } from './db/schema';

runService(
  {
    schema: notifierSchema,
    Config: NotifierConfig,
    load: async () => (await import('./service.js')).notifierService,
    portOf: (config) => config.NOTIFIER_PORT,
  },
  process.env,
);
