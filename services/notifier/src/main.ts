import '@fiado/chassis/process-setup';
import { runService } from '@fiado/chassis/run-service';
import { NotifierConfig } from './config';
import { notifierSchema } from './db/schema';

runService(
  {
    schema: notifierSchema,
    Config: NotifierConfig,
    load: async ({ SMS_PROVIDER }) => {
      // Nothing else runs while the SDK is loaded. On a busy machine a connection that is being made would miss its time.
      if (SMS_PROVIDER === 'twilio') await import('twilio');
      return (await import('./service.js')).notifierService;
    },
    portOf: (config) => config.NOTIFIER_PORT,
  },
  process.env,
);
