import { IsIn, isURL, IsOptional, IsString, IsUrl } from 'class-validator';

import { isRate } from '../money';
import { signingKeysOf } from '../signing-keys';
import { IsIntegerText, Passes } from '../contracts/decorators';
import { REDIS_FORMS, redisAddressOf } from './jobs/redis-address';
import { publicKeysOf } from './process-keys';
import { collectorHeadersOf } from './tracing/collector-headers';
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

const SERVICE_URL = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };

/** A URL of another service inside the system: a name without dots or with a port is fine. */
export function IsServiceUrl(): PropertyDecorator {
  return IsUrl(SERVICE_URL);
}

/** Where the instances of a service are: a URL whose name has their addresses, or several URLs. */
export function IsServiceUrls(): PropertyDecorator {
  return Passes(
    'isServiceUrls',
    'must be a URL, or several with commas between them',
    (value) =>
      typeof value === 'string' && value.split(',').every((url) => isURL(url.trim(), SERVICE_URL)),
  );
}

/** A Redis: one server, the Sentinels of one, or a Cluster. */
export function IsRedisUrl(): PropertyDecorator {
  return Passes(
    'isRedisUrl',
    REDIS_FORMS,
    (value) => typeof value === 'string' && redisAddressOf(value) !== undefined,
  );
}

/** An Ed25519 private key. A bad key must fail at start, not at the first call. */
export function IsSigningKey(): PropertyDecorator {
  return IsReadable(signingKeysOf, 'must be the base64 of the PKCS8 PEM of an Ed25519 private key');
}

function IsPublicKeys(): PropertyDecorator {
  return IsReadable(
    publicKeysOf,
    'must be names of processes, each with = and an Ed25519 public key in base64url, with commas between them',
  );
}

function IsCollectorHeaders(): PropertyDecorator {
  return IsReadable(
    collectorHeadersOf,
    'must be headers of HTTP: name=value, with commas between them, and other characters as %2C',
  );
}

/** @param read throws on a bad value; its own message may quote the value, and is dropped */
function IsReadable(read: (value: string) => unknown, message: string): PropertyDecorator {
  return Passes('isReadable', message, (value) => {
    if (typeof value !== 'string') return false;
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** A rate, such as the tax on interests: 0.16 is 16 per cent. */
export function IsRateVariable(): PropertyDecorator {
  return Passes(
    'isRateVariable',
    'must be a decimal from 0 to 1 with at most 6 decimals',
    (value) => typeof value === 'string' && isRate(value),
  );
}

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

  @IsIn(LOG_LEVELS)
  LOG_LEVEL = 'info';

  /**
   * How long a stopping process accepts requests, in milliseconds. It is not
   * ready and closes each connection after its answer, so that callers turn to other instances.
   */
  @IsIntegerText(0, MAX_DRAIN_MS)
  DRAIN_MS = 0;

  /**
   * An OpenTelemetry collector that takes traces (OTLP over HTTP), such as http://collector:4318.
   * Unset: there are no traces, and the SDK is not loaded.
   */
  @IsOptional()
  @IsServiceUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Headers of each request to the collector, such as its token: `name=value`, percent-encoded. */
  @IsOptional()
  @IsCollectorHeaders()
  OTEL_EXPORTER_OTLP_HEADERS?: string;

  /** Share of the requests, and of jobs without a request, that are traced. */
  @IsRateVariable()
  OTEL_TRACES_SAMPLER_ARG = '1';

  /**
   * Signs this process' calls of others and its jobs: an Ed25519 private key of its own, base64 of
   * its PKCS8 PEM.
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
  /** The database: an owner's URL (the service's own role is derived) or the role's own. */
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  DATABASE_URL: string;

  /**
   * An owner's URL that leads past PgBouncer, for `migrate`. Unset: DATABASE_URL. Both name the
   * same owner: the passwords of the services' roles are derived from the owner's.
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  MIGRATION_DATABASE_URL?: string;

  /** Connections of the process to its schema, at most. docs/deployment.md counts them. */
  @IsIntegerText(MIN_POOL_SIZE, MAX_POOL_SIZE)
  POOL_SIZE = 12;

  /**
   * Whether statements of hot paths are prepared once for each connection. off for PgBouncer in
   * transaction mode before 1.21, or without max_prepared_statements.
   */
  @IsIn(['on', 'off'])
  PREPARED_STATEMENTS: 'on' | 'off' = 'on';

  /**
   * The queues role's URL, where DATABASE_URL is not an owner's and REDIS_URL is unset. It leads
   * past PgBouncer in transaction mode, which loses the LISTEN of a worker.
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  QUEUES_DATABASE_URL?: string;

  /** Redis for the queues: a server, Sentinels or a Cluster; without it they live in Postgres. */
  @IsOptional()
  @IsRedisUrl()
  @HasStrongPassword()
  REDIS_URL?: string;

  /** Prefix of the queues' keys in Redis, for several installations on one Redis. */
  @IsString()
  QUEUE_PREFIX = 'fiado';
}

/** Variables of the services that send codes to customers: accounts and transactions. */
export class CodeServiceConfig extends ServiceConfig {
  /** Asked whether an SMS would be sent, before it is sent again. */
  @IsServiceUrls()
  NOTIFIER_URL = 'http://127.0.0.1:3004';

  /** Wraps the data keys, which seal names, phones, coordinates and delivery words. */
  @IsSecret()
  ENCRYPTION_KEY: string;

  /** The ENCRYPTION_KEY before or after this one, while it is exchanged: it unwraps data keys too. */
  @IsOptional()
  @IsSecret()
  ENCRYPTION_KEY_PREVIOUS?: string;

  /**
   * Whether what is sealed is bound to its row. false seals as the previous release does, so that
   * its processes read it: for the time in which the way back to it must stay open.
   */
  @IsIn(['true', 'false'])
  BIND_SEALED_VALUES: 'true' | 'false' = 'true';

  /** Keys the codes: without it they cannot be known from the database. */
  @IsSecret()
  CODE_PEPPER: string;

  /** The CODE_PEPPER before or after this one, while it is exchanged: its codes are right too. */
  @IsOptional()
  @IsSecret()
  CODE_PEPPER_PREVIOUS?: string;

  /** Where the outside finds the gateway: base of the links that users open. */
  @IsPublicUrl()
  PUBLIC_URL = 'http://127.0.0.1:3000';
}
