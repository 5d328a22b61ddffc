import { IsRateVariable, IsServiceUrl, IsServiceUrls } from '@fiado/shared/chassis/service-config';
import { IsPublicUrl } from '@fiado/shared/chassis/weak-settings';
import { ToNumber } from '@fiado/shared/contracts/decorators';
import {
  IsIn,
  IsInt,
  IsISO31661Alpha2,
  IsOptional,
  IsString,
  IsTimeZone,
  Min,
} from 'class-validator';

import {
  IsPort,
  isHost,
  isSecret,
  isSigningKey,
  neededForTwilio,
  Obeys,
  senderForTwilio,
  smsIsReal,
} from './config-rules';
import { StoresConfig } from './stores-config';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Everything that `npm start` reads from the environment. */
export class SupervisorConfig extends StoresConfig {
  /** sandbox (default) or production, which refuses settings that are only safe in a sandbox. */
  @IsOptional()
  @IsIn(['sandbox', 'production'])
  FIADO_MODE?: 'sandbox' | 'production';

  /** Address that the gateway listens on. */
  @Obeys(isHost)
  HOST = '127.0.0.1';

  /** Address that the services and the gateway's metrics listen on: never a public one. */
  @Obeys(isHost)
  INTERNAL_HOST = '127.0.0.1';

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

  /** URLs of the services, if they differ from their own ports, such as of a proxy. */
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

  /** Base of links and of Twilio's callbacks; unset in a sandbox: the gateway on this machine. */
  @IsPublicUrl()
  PUBLIC_URL?: string;

  /** Folder of the embedded database, the generated secrets and the demo's keys. */
  @IsString()
  DATA_DIR = '.data';

  /** The first credential of the lender's ops people. */
  @Obeys(isSecret)
  OPS_API_KEY?: string;

  /** Sign what each process calls others with, and its jobs: one of its own for each. */
  @Obeys(isSigningKey)
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  @Obeys(isSigningKey)
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /** Signs access tokens. */
  @Obeys(isSigningKey)
  ACCESS_TOKEN_PRIVATE_KEY?: string;

  /** Keys the hashes of six-digit codes. */
  @Obeys(isSecret)
  CODE_PEPPER?: string;

  /** Seals names, phones, coordinates and images at rest. */
  @Obeys(isSecret)
  ENCRYPTION_KEY?: string;

  /** false while a rollback to the previous release must stay possible. */
  @IsIn(['true', 'false'])
  BIND_SEALED_VALUES = 'true';

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

  /** A separate port for the gateway's /metrics; the gateway validates it. */
  @IsOptional()
  @IsString()
  METRICS_PORT?: string;

  /** Proxies in front of the gateway; the gateway validates it. */
  @IsOptional()
  @IsString()
  TRUSTED_PROXY_HOPS?: string;

  /** Tax on the interests, as a decimal with at most 6 places. */
  @IsRateVariable()
  IVA_RATE = '0.16';

  /** Limits of SMS; the notifier, and accounts for unknown numbers, validate them. */
  @IsOptional()
  @IsString()
  SMS_PER_PHONE_PER_DAY?: string;
  @IsOptional()
  @IsString()
  SMS_PER_PHONE_AND_WHOLESALER_PER_DAY?: string;

  @IsOptional()
  @IsString()
  SMS_PER_WHOLESALER_PER_MINUTE?: string;

  @IsOptional()
  @IsString()
  SMS_TO_UNKNOWN_PER_DAY?: string;

  @IsOptional()
  @IsString()
  SMS_COUNTRIES?: string;

  /** What one wholesaler may upload in a day; accounts validates both. */
  @IsOptional()
  @IsString()
  IMAGES_PER_WHOLESALER_PER_DAY?: string;

  @IsOptional()
  @IsString()
  IMAGE_MB_PER_WHOLESALER_PER_DAY?: string;

  /** Above both a deposit waits for ops; payments validates them. */
  @IsOptional()
  @IsString()
  DEPOSIT_CEILING_PESOS?: string;

  @IsOptional()
  @IsString()
  DEPOSIT_CEILING_TIMES_OWED?: string;

  /** The invoice provider; transactions validates its settings. */
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

  /** The lender's phone number for corner stores; accounts validates it. */
  @IsOptional()
  @IsString()
  SUPPORT_PHONE?: string;

  @IsIn(LOG_LEVELS)
  LOG_LEVEL = 'info';

  /** How long a stopping process accepts requests; the services validate it. */
  @IsOptional()
  @IsString()
  DRAIN_MS?: string;
}
