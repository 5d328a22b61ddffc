import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isURL, IsUrl } from '@fiado/contracts/class-validator';
import { Obeys, Passes } from '@fiado/contracts/decorators';
import { isRate } from '@fiado/contracts/money';
import { type PaymentPlace, paymentPlacesOf, PLACES_FORM } from '@fiado/contracts/payment-places';
import { signingKeysOf } from '@fiado/contracts/signing-keys';
import { S3_FORM, s3PlaceOf } from './documents/s3-place';
import { REDIS_FORMS, redisAddressOf } from './jobs/redis-address';
import { publicKeysOf } from './keys/process-keys';

const HTTP_URL = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };

/** A URL of another service inside the system: a name without dots or with a port is fine. */
export function IsServiceUrl(): PropertyDecorator {
  return IsUrl(HTTP_URL);
}

/** Where the instances of a service are: a URL whose name has their addresses, or several URLs. */
export function IsServiceUrls(): PropertyDecorator {
  return IsTextThat('must be a URL, or several with commas between them', (text) =>
    text.split(',').every((url) => isURL(url.trim(), HTTP_URL)),
  );
}

/** A Redis: one server, the Sentinels of one, or a Cluster. */
export function IsRedisUrl(): PropertyDecorator {
  return IsTextThat(REDIS_FORMS, (url) => redisAddressOf(url) !== undefined);
}

/** A bucket of an S3 store, and a prefix in it. */
export function IsS3Url(): PropertyDecorator {
  return IsTextThat(S3_FORM, (url) => s3PlaceOf(url) !== undefined);
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

/**
 * The headers in OTEL_EXPORTER_OTLP_HEADERS: `name=value`, several with commas between them, each part
 * percent-encoded (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 * @throws Error for anything that is not a header; its message may hold the value
 */
export function collectorHeadersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const middle = pair.indexOf('=');
      if (middle === -1) throw new Error('A header has a name and a value');
      const name = decodeURIComponent(pair.slice(0, middle).trim());
      const value = decodeURIComponent(pair.slice(middle + 1).trim());
      if (value === '') throw new Error('A header has a value');
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return [name, value];
    }),
  );
}

/** @param read throws on a bad value; its own message may quote the value, and is dropped */
function IsReadable(read: (value: string) => unknown, message: string): PropertyDecorator {
  return IsTextThat(message, (value) => {
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  });
}

function IsTextThat(message: string, isValid: (text: string) => boolean): PropertyDecorator {
  return Passes('isTextThat', message, (value) => typeof value === 'string' && isValid(value));
}

/** A rate, such as the tax on interests: 0.16 is 16 per cent. */
export function IsRateVariable(): PropertyDecorator {
  return IsTextThat('must be a decimal from 0 to 1 with at most 6 decimals', isRate);
}

/** What pages and SMS show in a sandbox. Production must set its own. */
export const SANDBOX_LENDER = {
  LENDER_NAME: 'Financiera de Prueba',
  SUPPORT_PHONE: '+525555550100',
  PRIVACY_URL: 'https://example.com/aviso-de-privacidad',
};

/** Where stores pay in a sandbox that names no place: a page of it shows all that a store reads. */
const SANDBOX_PLACES = 'Tienda de prueba | En la caja | Convenio 00000';

/** The places where stores pay; none in production where the lender named none. */
export function paymentPlaces({
  FIADO_MODE,
  PAYMENT_PLACES,
}: {
  FIADO_MODE: 'sandbox' | 'production';
  PAYMENT_PLACES?: string;
}): PaymentPlace[] {
  const setting = PAYMENT_PLACES ?? (FIADO_MODE === 'sandbox' ? SANDBOX_PLACES : '');
  return paymentPlacesOf(setting) ?? [];
}

const MAX_NAME_LENGTH = 60;

const DIALLED = /^\+?\d[\d ]{2,19}$/;

/** Decorator: the lender's name, as corner stores know it. */
export function IsLenderName(): PropertyDecorator {
  return IsSetInProduction(SANDBOX_LENDER.LENDER_NAME, (value) =>
    /\p{L}/u.test(value) && value.length <= MAX_NAME_LENGTH
      ? undefined
      : `must be a name of at most ${MAX_NAME_LENGTH} characters`,
  );
}

/** Decorator: the lender's telephone for corner stores, as people dial it. */
export function IsSupportPhone(): PropertyDecorator {
  return IsSetInProduction(SANDBOX_LENDER.SUPPORT_PHONE, (value) =>
    DIALLED.test(value) ? undefined : 'must be a phone number such as 55 1234 5678',
  );
}

/** Decorator: the address of the lender's privacy notice. */
export function IsPrivacyUrl(): PropertyDecorator {
  return IsSetInProduction(SANDBOX_LENDER.PRIVACY_URL, (value) =>
    isURL(value, { protocols: ['https'], require_protocol: true })
      ? undefined
      : 'must be a URL that begins with https',
  );
}

/** Decorator: where stores pay the lender. */
export function IsPaymentPlaces(): PropertyDecorator {
  return IsTextThat(PLACES_FORM, (places) => paymentPlacesOf(places) !== undefined);
}

function IsSetInProduction(
  sandboxValue: string,
  problemOf: (value: string) => string | undefined,
): PropertyDecorator {
  return Obeys((value: unknown, { FIADO_MODE }: Settings) => {
    if (FIADO_MODE === 'production' && (value === undefined || value === sandboxValue)) {
      return 'is required in production';
    }
    if (value === undefined) return undefined;
    return typeof value === 'string' ? problemOf(value) : 'must be a text';
  });
}

/**
 * Decorator: the address of the console, without a path. Passkeys belong to a host name, and browsers
 * have them on https or on localhost only.
 */
export function IsConsoleUrl(): PropertyDecorator {
  return IsTextThat(
    'must be like https://console.example.com, or http://localhost:3010 on this machine',
    (url) => {
      if (!isURL(url, HTTP_URL)) return false;
      const { protocol, hostname, origin, href } = new URL(url);
      const isName = !/^[\d.]+$|^\[/.test(hostname);
      const isBare = href === `${origin}/`;
      return isBare && isName && (protocol === 'https:' || hostname === 'localhost');
    },
  );
}

/** Decorator: the identity provider's issuer. http only on this machine, in a sandbox. */
export function IsIssuerUrl(): PropertyDecorator {
  return Obeys((url: unknown, { FIADO_MODE }: Settings) => {
    const problem = 'must be a URL that begins with https';
    if (typeof url !== 'string' || !isURL(url, HTTP_URL)) return problem;
    const { protocol, hostname } = new URL(url);
    const isLocalSandbox =
      FIADO_MODE !== 'production' && ['localhost', '127.0.0.1'].includes(hostname);
    return protocol === 'https:' || isLocalSandbox ? undefined : problem;
  });
}

/** Decorator: a text that is set if that other variable is, and only then. */
export function IsNeededWith(other: string): PropertyDecorator {
  return Obeys((value: unknown, settings: Settings) => {
    const isRight =
      settings[other] === undefined
        ? value === undefined
        : typeof value === 'string' && value.length > 0;
    return isRight ? undefined : `must be set together with ${other}`;
  });
}

type Settings = Record<string, unknown>;
