import { isURL, IsUrl } from 'class-validator';
import { Passes } from '@fiado/contracts/decorators';
import { isRate } from '@fiado/contracts/money';
import { signingKeysOf } from '@fiado/contracts/signing-keys';
import { REDIS_FORMS, redisAddressOf } from './jobs/redis-address';
import { publicKeysOf } from './process-keys';
import { collectorHeadersOf } from './tracing/collector-headers';

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

/** Public keys by the names of processes. */
export function IsPublicKeys(): PropertyDecorator {
  return IsReadable(
    publicKeysOf,
    'must be names of processes, each with = and an Ed25519 public key in base64url, with commas between them',
  );
}

/** Headers for the collector of traces. */
export function IsCollectorHeaders(): PropertyDecorator {
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
