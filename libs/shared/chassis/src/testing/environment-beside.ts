import type { ProcessName } from '@fiado/contracts/process-names';
import type { ServiceConfig } from '../service-config';
import { testKeyVariables } from './process-keys';
import { TEST_ENVIRONMENT } from './service';

/** Variables of a process beside a service of the tests, on its database and queues. Undefined ones are not set. */
export function environmentBeside(name: ProcessName, config: ServiceConfig): NodeJS.ProcessEnv {
  const { DATABASE_URL, QUEUES_DATABASE_URL, PREPARED_STATEMENTS, REDIS_URL, QUEUE_PREFIX } =
    config;
  return {
    PATH: process.env.PATH,
    ...TEST_ENVIRONMENT,
    ...testKeyVariables(name),
    DATABASE_URL,
    QUEUES_DATABASE_URL,
    PREPARED_STATEMENTS,
    REDIS_URL,
    QUEUE_PREFIX,
  };
}
