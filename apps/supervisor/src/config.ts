import { IsRateVariable, IsServiceUrl, IsServiceUrls } from '@fiado/shared/chassis/service-config';
import { ToNumber } from '@fiado/shared/chassis/config';
import {
  IsIn,
  IsInt,
  IsISO31661Alpha2,
  IsOptional,
  IsString,
  IsTimeZone,
  IsUrl,
  Max,
  Min,
} from 'class-validator';

import {
  isDatabaseUrl,
  isHost,
  isMode,
  isOwnPort,
  isSecret,
  isSigningKey,
  neededForTwilio,
  Obeys,
  senderForTwilio,
  smsIsReal,
} from './config-rules';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** What a child inherits as it is: what Node and its TLS need, and nothing of Fiado's. */
const INHERITED = `PATH HOME TMPDIR TZ LANG LC_ALL NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS
  SSL_CERT_FILE SSL_CERT_DIR`.split(/\s+/);

function IsPort(): PropertyDecorator {
  return (target, key) => {
    for (const decorate of [ToNumber(), IsInt(), Min(1), Max(65_535), Obeys(isOwnPort)]) {
      decorate(target, key);
    }
  };
}

/** Everything that `npm start` reads from the environment. */
export class SupervisorConfig {
  /** sandbox (default) or production, which refuses what is only fit for trying out. */
  @Obeys(isMode)
  FIADO_MODE?: 'sandbox' | 'production';

  /** Address that every process listens on. */
  @Obeys(isHost)
  HOST = '127.0.0.1';

  /** The gateway's port. */
  @IsPort()
  PORT = 3000;

  @IsPort()
  ACCOUNTS_PORT = 3001;

  @IsPort()
  TRANSACTIONS_PORT = 3002;

  @IsPort()
  PAYMENTS_PORT = 3003;

  @IsPort()
  NOTIFIER_PORT = 3004;

  /** Where the services find each other, when not on their own ports: a proxy in between. */
  @IsOptional()
  @IsServiceUrls()
  ACCOUNTS_URL?: string;

  @IsOptional()
  @IsServiceUrls()
  TRANSACTIONS_URL?: string;

  @IsOptional()
  @IsServiceUrls()
  PAYMENTS_URL?: string;

  @IsOptional()
  @IsServiceUrls()
  NOTIFIER_URL?: string;

  /** Base of links and of Twilio's callbacks; unset: the gateway on this machine. */
  @IsOptional()
  @IsServiceUrl()
  PUBLIC_URL?: string;

  /** Folder of the embedded database, the generated secrets and the demo's keys. */
  @IsString()
  DATA_DIR = '.data';

  /** A PostgreSQL of your own, as its owner; unset: the embedded one. */
  @Obeys(isDatabaseUrl)
  DATABASE_URL?: string;

  /** Redis for the queues; unset: they live in Postgres. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['redis', 'rediss'], require_protocol: true })
  REDIS_URL?: string;

  /** Prefix of the queues' keys in Redis, for several houses on one Redis. */
  @IsOptional()
  @IsString()
  QUEUE_PREFIX?: string;

  /** The first credential of the lender's ops people. */
  @Obeys(isSecret)
  OPS_API_KEY?: string;

  /** Signs the token that tells services who calls. */
  @Obeys(isSecret)
  INTERNAL_TOKEN_SECRET?: string;

  /** Signs access tokens. */
  @Obeys(isSigningKey)
  ACCESS_TOKEN_PRIVATE_KEY?: string;

  /** Keys the hashes of six-digit codes. */
  @Obeys(isSecret)
  CODE_PEPPER?: string;

  /** Seals names, phones, coordinates and images at rest. */
  @Obeys(isSecret)
  ENCRYPTION_KEY?: string;

  @IsIn(['console', 'twilio'])
  @Obeys(smsIsReal)
  SMS_PROVIDER = 'console';

  @Obeys(neededForTwilio)
  TWILIO_ACCOUNT_SID?: string;

  @Obeys(neededForTwilio)
  TWILIO_AUTH_TOKEN?: string;

  @Obeys(senderForTwilio)
  TWILIO_FROM?: string;

  @IsOptional()
  @IsString()
  TWILIO_MESSAGING_SERVICE_SID?: string;

  /** Points Twilio's SDK at another host: tests, a proxy. */
  @IsOptional()
  @IsServiceUrl()
  TWILIO_API_BASE_URL?: string;

  /** For each credential; bursts of twice that; 0 is off. */
  @ToNumber()
  @IsInt()
  @Min(0)
  RATE_LIMIT_PER_SECOND = 300;

  /** A port of its own for the gateway's /metrics; it says what it may be. */
  @IsOptional()
  @IsString()
  METRICS_PORT?: string;

  /** Proxies in front of the gateway; it says what each may be. */
  @IsOptional()
  @IsString()
  TRUSTED_PROXY_HOPS?: string;

  /** Tax on the interests, as a decimal with at most 6 places. */
  @IsRateVariable()
  IVA_RATE = '0.16';

  /** Caps against SMS pumping; the notifier says what each may be. */
  @IsOptional()
  @IsString()
  SMS_PER_PHONE_PER_DAY?: string;

  @IsOptional()
  @IsString()
  SMS_PER_WHOLESALER_PER_MINUTE?: string;

  @IsOptional()
  @IsString()
  SMS_COUNTRIES?: string;

  /** Who issues invoices; the service itself says what each of them needs. */
  @IsIn(['local', 'facturapi'])
  INVOICE_PROVIDER = 'local';

  @IsOptional()
  @IsString()
  FACTURAPI_KEY?: string;

  @IsOptional()
  @IsString()
  FACTURAPI_BASE_URL?: string;

  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  @IsISO31661Alpha2()
  PHONE_REGION = 'MX';

  @IsIn(LOG_LEVELS)
  LOG_LEVEL = 'info';

  /** How long a process that stops goes on taking requests; the services say what it may be. */
  @IsOptional()
  @IsString()
  DRAIN_MS?: string;
}

/** The part of our environment that children get as it is. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

/** Base URL of a process of ours, as it is reached from this machine. */
export function localUrl(host: string, port: number): string {
  // The wildcard addresses are for listening; Node and curl reach them through the loopback.
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
