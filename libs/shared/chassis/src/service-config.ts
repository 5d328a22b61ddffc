import { IsIn, IsOptional, IsString, IsUrl } from '@fiado/contracts/class-validator';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import {
  IsCollectorHeaders,
  IsPublicKeys,
  IsRateVariable,
  IsRedisUrl,
  IsServiceUrl,
  IsServiceUrls,
  IsSigningKey,
} from './setting-rules';
import { HasStrongPassword, IsPublicUrl, IsSecret } from './weak-settings';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** With fewer, jobs and loops wait for connections. */
const MIN_POOL_SIZE = 4;
/** More connections do not make one process faster. */
const MAX_POOL_SIZE = 100;

/** Longest drain: what is left of the time that a stop may take is for the requests that run. */
const MAX_DRAIN_MS = 10_000;

/** A balancer behind a content network behind another: more is a mistake. */
export const MAX_PROXY_HOPS = 5;

/** Variables that every process of Fiado reads. */
export class ProcessConfig {
  /** sandbox or production. production refuses settings that are only safe in a sandbox. */
  @IsIn(['sandbox', 'production'])
  FIADO_MODE: 'sandbox' | 'production' = 'sandbox';

  /**
   * Address that ports listen on which only other services and Prometheus should reach: the
   * services' own, and the gateway's METRICS_PORT. Beyond this machine only on a private network.
   */
  @IsString()
  INTERNAL_HOST = '127.0.0.1';

  /** fatal, error, warn, info, debug, trace or silent. */
  @IsIn(LOG_LEVELS)
  LOG_LEVEL = 'info';

  /**
   * held keeps SMS, webhooks and invoices in their tables and sends none, such as in a restored copy beside
   * the installation that it was made of. They wait until it is on, and expire as always. docker/restore
   * sets it; the console says so on each page.
   * @productionOption held
   */
  @IsIn(['on', 'held'])
  OUTGOING: 'on' | 'held' = 'on';

  /**
   * How long a stopping process accepts requests, in milliseconds. It is not
   * ready and closes each connection after its answer, so that callers turn to other instances.
   */
  @IsIntegerText(0, MAX_DRAIN_MS)
  DRAIN_MS = 0;

  /**
   * An OpenTelemetry collector that takes traces (OTLP over HTTP), such as http://collector:4318.
   * Unset: there are no traces, and the SDK is not loaded.
   * @productionOption http://collector:4318
   */
  @IsOptional()
  @IsServiceUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /**
   * Headers of each request to the collector, such as its token: `name=value`, percent-encoded.
   * @secret
   * @productionOption authorization=Bearer%20…
   */
  @IsOptional()
  @IsCollectorHeaders()
  OTEL_EXPORTER_OTLP_HEADERS?: string;

  /**
   * Share of the requests, and of jobs without a request, that are traced.
   * @productionOption 0.01
   */
  @IsRateVariable()
  OTEL_TRACES_SAMPLER_ARG = '1';

  /**
   * Signs this process' calls of others and its jobs: an Ed25519 private key of its own, base64 of
   * its PKCS8 PEM.
   * @secret
   */
  @IsSigningKey()
  INTERNAL_TOKEN_PRIVATE_KEY: string;

  /**
   * The public keys of all processes: `gateway=<key>,accounts=<key>`, 32 bytes in base64url each.
   */
  @IsPublicKeys()
  INTERNAL_TOKEN_PUBLIC_KEYS: string;
}

/** Variables of the processes that own a schema and talk to the queues. */
export class ServiceConfig extends ProcessConfig {
  /**
   * The database: an owner's URL (the service's own role is derived) or the role's own.
   * @secret
   */
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  DATABASE_URL: string;

  /**
   * An owner's URL that leads past PgBouncer, for `migrate`. Unset: DATABASE_URL. Both name the
   * same owner: the passwords of the services' roles are derived from the owner's.
   * @secret
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  MIGRATION_DATABASE_URL?: string;

  /**
   * Connections of the process to its schema, at most. docs/deployment.md counts them.
   * @productionOption 12
   */
  @IsIntegerText(MIN_POOL_SIZE, MAX_POOL_SIZE)
  POOL_SIZE = 12;

  /**
   * Whether statements of hot paths are prepared once for each connection. off for PgBouncer in
   * transaction mode before 1.21, or without max_prepared_statements.
   * @productionOption off
   */
  @IsIn(['on', 'off'])
  PREPARED_STATEMENTS: 'on' | 'off' = 'on';

  /**
   * on sends jobs that wait for the same queue together (ADR 80), off or empty one by one. Version 1.0
   * cannot read them: turn it on when every process runs a later version. npm start has it on.
   * @production on
   */
  @IsOptional()
  @IsIn(['on', 'off'])
  JOB_BUNDLES?: 'on' | 'off';

  /**
   * The queues role's URL, where DATABASE_URL is not an owner's and REDIS_URL is unset. It leads
   * past PgBouncer in transaction mode, which loses the LISTEN of a worker.
   * @secret
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  QUEUES_DATABASE_URL?: string;

  /**
   * Redis for the queues: a server, Sentinels or a Cluster; without it they live in Postgres.
   * @secret
   */
  @IsOptional()
  @IsRedisUrl()
  @HasStrongPassword()
  REDIS_URL?: string;

  /**
   * off where only this installation uses the network to its stores, as that of docker-compose.yml.
   * Otherwise a start in production warns of Postgres or Redis on another machine without TLS; the
   * next release will refuse it.
   * @production off
   */
  @IsIn(['required', 'off'])
  STORE_TLS: 'required' | 'off' = 'required';

  /** Prefix of the queues' keys in Redis, for several installations on one Redis. */
  @IsString()
  QUEUE_PREFIX = 'fiado';
}

/** Variables of the services that send codes to customers: accounts and transactions. */
export class CodeServiceConfig extends ServiceConfig {
  /** Where notifier answers, as ACCOUNTS_URL: it is asked whether an SMS would be sent again. */
  @IsServiceUrls()
  NOTIFIER_URL = 'http://127.0.0.1:3004';

  /**
   * Wraps the data keys, which seal names, phones, coordinates and delivery words.
   * @secret
   */
  @IsSecret()
  ENCRYPTION_KEY: string;

  /**
   * The ENCRYPTION_KEY before or after this one, while it is exchanged: it unwraps data keys too.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @IsSecret()
  ENCRYPTION_KEY_PREVIOUS?: string;

  /**
   * Keys the codes: without it they cannot be known from the database.
   * @secret
   */
  @IsSecret()
  CODE_PEPPER: string;

  /**
   * The CODE_PEPPER before or after this one, while it is exchanged: its codes are right too.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @IsSecret()
  CODE_PEPPER_PREVIOUS?: string;

  /** Where the outside finds the gateway: base of the links that users open. */
  @IsPublicUrl()
  PUBLIC_URL = 'http://127.0.0.1:3000';
}

/**
 * For an endpoint that only a sandbox has: call it before anything of the request is read.
 * @throws AppError ROUTE_NOT_FOUND in production
 */
export function requireSandbox({ FIADO_MODE }: { FIADO_MODE: 'sandbox' | 'production' }): void {
  if (FIADO_MODE === 'production') throw new AppError('ROUTE_NOT_FOUND');
}
