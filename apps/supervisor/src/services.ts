import type { QueueName } from '@fiado/shared/contracts/define-job';
import type { ProcessName } from '@fiado/shared/contracts/process-names';

import type { SupervisorConfig } from './config';

type Variable = Exclude<keyof SupervisorConfig, 'DATABASE_URL' | 'MIGRATION_DATABASE_URL'>;

/** One of the five processes. */
export interface ServiceDefinition {
  name: ProcessName;
  portVariable: 'PORT' | `${Uppercase<QueueName>}_PORT`;
  hostVariable: 'HOST' | 'INTERNAL_HOST';
  /** Has a schema, so it migrates and gets its role's URL and the queues'. */
  hasSchema: boolean;
  /** Secrets and settings that this process gets and others need not have, besides its own key. */
  own: Variable[];
  /** Who stops first has the lower number: callers before the called. */
  stopsIn: 1 | 2 | 3;
}

/** Settings that are no secret and the same for the whole installation. */
export const COMMON_VARIABLES: Variable[] = [
  'INTERNAL_HOST',
  'LOG_LEVEL',
  'DRAIN_MS',
  'POOL_SIZE',
  'PREPARED_STATEMENTS',
  'TIME_ZONE',
  'PHONE_REGION',
];

/** The services. A process gets the secrets in its row and no other. */
export const SERVICES: ServiceDefinition[] = [
  {
    name: 'gateway',
    portVariable: 'PORT',
    hostVariable: 'HOST',
    hasSchema: false,
    own: ['HOST', 'RATE_LIMIT_PER_SECOND', 'TRUSTED_PROXY_HOPS', 'METRICS_PORT'],
    stopsIn: 1,
  },
  {
    name: 'accounts',
    portVariable: 'ACCOUNTS_PORT',
    hostVariable: 'INTERNAL_HOST',
    hasSchema: true,
    own: [
      'ACCESS_TOKEN_PRIVATE_KEY',
      'CODE_PEPPER',
      'ENCRYPTION_KEY',
      'BIND_SEALED_VALUES',
      'OPS_API_KEY',
      'DATA_DIR',
      'SMS_TO_UNKNOWN_PER_DAY',
      'SUPPORT_PHONE',
      'IMAGES_PER_WHOLESALER_PER_DAY',
      'IMAGE_MB_PER_WHOLESALER_PER_DAY',
    ],
    stopsIn: 2,
  },
  {
    name: 'transactions',
    portVariable: 'TRANSACTIONS_PORT',
    hostVariable: 'INTERNAL_HOST',
    hasSchema: true,
    own: [
      'CODE_PEPPER',
      'ENCRYPTION_KEY',
      'BIND_SEALED_VALUES',
      'IVA_RATE',
      'INVOICE_PROVIDER',
      'FACTURAPI_KEY',
      'FACTURAPI_BASE_URL',
    ],
    stopsIn: 2,
  },
  {
    name: 'payments',
    portVariable: 'PAYMENTS_PORT',
    hostVariable: 'INTERNAL_HOST',
    hasSchema: true,
    own: ['DEPOSIT_CEILING_PESOS', 'DEPOSIT_CEILING_TIMES_OWED'],
    stopsIn: 2,
  },
  {
    name: 'notifier',
    portVariable: 'NOTIFIER_PORT',
    hostVariable: 'INTERNAL_HOST',
    hasSchema: true,
    own: [
      'ENCRYPTION_KEY',
      'SMS_PROVIDER',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'TWILIO_FROM',
      'TWILIO_MESSAGING_SERVICE_SID',
      'TWILIO_API_BASE_URL',
      'SMS_PER_PHONE_PER_DAY',
      'SMS_PER_PHONE_AND_WHOLESALER_PER_DAY',
      'SMS_PER_WHOLESALER_PER_MINUTE',
      'SMS_COUNTRIES',
    ],
    stopsIn: 3,
  },
];
