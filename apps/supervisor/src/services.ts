import type { SupervisorConfig } from './config';

type Variable = Exclude<keyof SupervisorConfig, 'DATABASE_URL'>;

/** One of the five processes, and all that this folder needs to know of it. */
export interface ServiceDefinition {
  name: 'gateway' | 'accounts' | 'transactions' | 'payments' | 'notifier';
  portVariable: 'PORT' | `${Uppercase<'accounts' | 'transactions' | 'payments' | 'notifier'>}_PORT`;
  /** Has a schema, so it migrates and gets its role's and the queues role's URL. */
  hasSchema: boolean;
  /** Secrets and settings that this process gets and others need not have. */
  own: Variable[];
  /** Who stops first has the lower number: callers before the called. */
  stopsIn: 1 | 2 | 3;
}

/** Settings that are no secret and the same for the whole house. */
export const COMMON_VARIABLES: Variable[] = [
  'HOST',
  'LOG_LEVEL',
  'DRAIN_MS',
  'REDIS_URL',
  'QUEUE_PREFIX',
  'TIME_ZONE',
  'PHONE_REGION',
];

/** The house. A process gets the secrets in its row and no other. */
export const SERVICES: ServiceDefinition[] = [
  {
    name: 'gateway',
    portVariable: 'PORT',
    hasSchema: false,
    own: ['INTERNAL_TOKEN_SECRET', 'RATE_LIMIT_PER_SECOND', 'TRUSTED_PROXY_HOPS', 'METRICS_PORT'],
    stopsIn: 1,
  },
  {
    name: 'accounts',
    portVariable: 'ACCOUNTS_PORT',
    hasSchema: true,
    own: [
      'INTERNAL_TOKEN_SECRET',
      'ACCESS_TOKEN_PRIVATE_KEY',
      'CODE_PEPPER',
      'ENCRYPTION_KEY',
      'OPS_API_KEY',
      'DATA_DIR',
    ],
    stopsIn: 2,
  },
  {
    name: 'transactions',
    portVariable: 'TRANSACTIONS_PORT',
    hasSchema: true,
    own: [
      'INTERNAL_TOKEN_SECRET',
      'CODE_PEPPER',
      'ENCRYPTION_KEY',
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
    hasSchema: true,
    own: ['INTERNAL_TOKEN_SECRET'],
    stopsIn: 2,
  },
  {
    name: 'notifier',
    portVariable: 'NOTIFIER_PORT',
    hasSchema: true,
    own: [
      'INTERNAL_TOKEN_SECRET',
      'ENCRYPTION_KEY',
      'SMS_PROVIDER',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'TWILIO_FROM',
      'TWILIO_MESSAGING_SERVICE_SID',
      'TWILIO_API_BASE_URL',
      'SMS_PER_PHONE_PER_DAY',
      'SMS_PER_WHOLESALER_PER_MINUTE',
      'SMS_COUNTRIES',
    ],
    stopsIn: 3,
  },
];
