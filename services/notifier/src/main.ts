import { runService } from '@fiado/shared/chassis/run-service';
import { NotifierConfig } from './config';
import { notifierService } from './service';

runService(notifierService, NotifierConfig, {
  env: process.env,
  portOf: (config) => config.NOTIFIER_PORT,
});
