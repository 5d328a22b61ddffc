import {
  IsIn,
  IsInt,
  isURL,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';

import { isRate } from '../money';
import { ToNumber } from './config';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** How long a secret must be at least, in characters: 32 random bytes are 43 in base64url. */
export const MIN_SECRET_LENGTH = 32;

/** Longest drain: what is left of the time that a stop may take is for the requests that run. */
const MAX_DRAIN_MS = 10_000;

const SERVICE_URL = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };

/** A URL of a neighbour inside the house: a name without dots or with a port is fine. */
export function IsServiceUrl(): PropertyDecorator {
  return IsUrl(SERVICE_URL);
}

/** Where the instances of a service are: a URL whose name has their addresses, or several URLs. */
export function IsServiceUrls(): PropertyDecorator {
  return ValidateBy({
    name: 'isServiceUrls',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.split(',').every((url) => isURL(url.trim(), SERVICE_URL)),
      defaultMessage: () => 'must be a URL, or several with commas between them',
    },
  });
}

/** A rate, such as the tax on interests: 0.16 is 16 per cent. */
export function IsRateVariable(): PropertyDecorator {
  return ValidateBy({
    name: 'isRateVariable',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isRate(value),
      defaultMessage: () => 'must be a decimal from 0 to 1 with at most 6 decimals',
    },
  });
}

/** Variables that every process of Fiado reads. */
export class ProcessConfig {
  /** sandbox or production; production refuses what is only fit for trying out. */
  @IsIn(['sandbox', 'production'])
  FIADO_MODE: 'sandbox' | 'production' = 'sandbox';

  /** Address to listen on. */
  @IsString()
  HOST = '127.0.0.1';

  @IsIn(LOG_LEVELS)
  LOG_LEVEL = 'info';

  /**
   * How long a process that is told to stop goes on taking requests, in milliseconds. It is not
   * ready and closes each connection after its answer, so that callers turn to other instances.
   */
  @ToNumber()
  @IsInt()
  @Min(0)
  @Max(MAX_DRAIN_MS)
  DRAIN_MS = 0;

  /** Signs the token that tells services who calls. The same for all processes. */
  @MinLength(MIN_SECRET_LENGTH)
  INTERNAL_TOKEN_SECRET: string;
}

/** Variables of the processes that own a schema and talk to the queues. */
export class ServiceConfig extends ProcessConfig {
  /** The database: an owner's URL (the service's own role is derived) or the role's own. */
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  DATABASE_URL: string;

  /** The queues role's URL, where DATABASE_URL is not an owner's and REDIS_URL is unset. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  QUEUES_DATABASE_URL?: string;

  /** Redis for the queues; without it they live in Postgres. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['redis', 'rediss'], require_protocol: true })
  REDIS_URL?: string;

  /** Prefix of the queues' keys in Redis, for several houses on one Redis. */
  @IsString()
  QUEUE_PREFIX = 'fiado';
}
