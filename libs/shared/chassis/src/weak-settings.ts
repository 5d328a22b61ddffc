import { isURL } from '@fiado/contracts/class-validator';
import { Obeys } from '@fiado/contracts/decorators';
import { SERVICES } from '@fiado/contracts/process-names';
import { redisAddressOf } from './jobs/redis-address';

/** Variables by name, as a configuration class or the environment holds them. */
type Settings = object;

/** How long a secret must be at least, in characters: 32 random bytes are 43 in base64url. */
const MIN_SECRET_LENGTH = 32;
/** Nobody types a store's password, but a tool with its own limit may have generated it. */
const MIN_PASSWORD_LENGTH = 12;
/**
 * Bits by bitsOf() below. It takes 16 random bytes in hexadecimal for some 90 of their 128 bits, and one in a
 * million for less than 40; text that repeats or counts for less than 30.
 */
const MIN_SECRET_BITS = 32;
const MIN_PASSWORD_BITS = 25;

/** The password of Postgres, Redis and Grafana in docker-compose.yml, which everybody can read. */
export const SANDBOX_PASSWORD = 'fiado-local-only';

/** Passwords of stores that have a variable of their own as well as their place in a URL. */
const STORE_PASSWORDS = [
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  ...SERVICES.map((service) => `${service.toUpperCase()}_REDIS_PASSWORD`),
];

/** Variables that hold a secret of their own: in production no two have the same value. */
const SECRETS = [
  'TWILIO_AUTH_TOKEN',
  'FACTURAPI_KEY',
  'OPS_API_KEY',
  'ACCESS_TOKEN_PRIVATE_KEY',
  'CODE_PEPPER',
  'CODE_PEPPER_PREVIOUS',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  ...STORE_PASSWORDS,
  'GRAFANA_PASSWORD',
];

/** Decorator: a secret of a process. In production it must not be guessable. */
export function IsSecret(): PropertyDecorator {
  return Obeys(secretProblem);
}

/** Decorator: the URL of a store, in production with a password that cannot be guessed. */
export function HasStrongPassword(): PropertyDecorator {
  return Obeys((url: unknown, settings: Settings) =>
    typeof url === 'string' ? urlProblem(url, settings) : undefined,
  );
}

/** Reserved names without an owner (RFC 2606): links and callbacks to them lead nowhere. */
const EXAMPLE_HOST = /(^|\.)(example|example\.(com|net|org))$/;

/** Decorator: the base of links and callbacks, in production one that begins with https and is no example. */
export function IsPublicUrl(): PropertyDecorator {
  return Obeys((url: unknown, settings: Settings) => {
    const production = isProduction(settings);
    if (url === undefined) return production ? 'is required in production' : undefined;
    const protocols = production ? ['https'] : ['http', 'https'];
    const isUrl =
      typeof url === 'string' &&
      isURL(url, { require_tld: false, protocols, require_protocol: true });
    if (!isUrl) return `must be a URL that begins with ${protocols.join(' or ')}`;
    const { hostname } = new URL(url);
    return production && EXAMPLE_HOST.test(hostname)
      ? `is an example: replace ${hostname} by the host name of your installation`
      : undefined;
  });
}

/** The problem of a secret, or undefined. Never contains its value. */
export function secretProblem(
  value: unknown,
  settings: Settings,
  name: string,
): string | undefined {
  if (typeof value !== 'string' || value.length < MIN_SECRET_LENGTH) {
    return `must have at least ${MIN_SECRET_LENGTH} characters`;
  }
  if (!isProduction(settings)) return undefined;
  if (hasOneKindOfCharacter(value) || bitsOf(value) < MIN_SECRET_BITS) {
    return 'is too easy to guess: make it with openssl rand -base64 32';
  }
  return repeatedSecretProblem(value, settings, name);
}

/** The same for the password of a store. */
export function passwordProblem(
  value: string,
  settings: Settings,
  name: string,
): string | undefined {
  if (!isProduction(settings)) return undefined;
  if (value === SANDBOX_PASSWORD) return 'is the password of a sandbox, which everybody knows';
  if (value.length < MIN_PASSWORD_LENGTH || bitsOf(value) < MIN_PASSWORD_BITS) {
    return 'is too easy to guess: make it with openssl rand -hex 24';
  }
  return repeatedSecretProblem(value, settings, name);
}

/**
 * What is wrong with a FIADO_MODE that was not set: sandbox, which shows codes and makes its own
 * secrets, may be a default only where nobody else can be reached or hurt.
 */
export function modeProblem(env: Record<string, string | undefined>): string | undefined {
  if (env.FIADO_MODE !== undefined) return undefined;
  const choose = 'choose sandbox (for trying out) or production';
  for (const name of ['HOST', 'INTERNAL_HOST', 'CONSOLE_HOST']) {
    if (!isLoopback(env[name] ?? 'localhost')) return `${choose}: ${name} is beyond this machine`;
  }
  // A text that is no URL fails the check of its own variable.
  if (!isLoopback(hostOf(env.DATABASE_URL ?? '') ?? 'localhost')) {
    return `${choose}: DATABASE_URL is another machine`;
  }
  return undefined;
}

/** Variables that lead to a store. */
const STORE_URLS = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'QUEUES_DATABASE_URL',
  'READ_DATABASE_URL',
  'REDIS_URL',
];

/** Values of `sslmode` with which `pg` encrypts a connection. */
const TLS_MODES = new Set(['require', 'verify-ca', 'verify-full', 'no-verify', 'prefer']);

/**
 * The variables whose store is on another machine and is reached without TLS, in production where
 * STORE_TLS does not allow it.
 */
export function storesWithoutTls(settings: Settings): string[] {
  if (!isProduction(settings) || valueOf(settings, 'STORE_TLS') === 'off') return [];
  return STORE_URLS.filter((name) => {
    const url = valueOf(settings, name);
    return typeof url === 'string' && isPlainAndRemote(url);
  });
}

function isPlainAndRemote(url: string): boolean {
  const redis = redisAddressOf(url);
  if (redis !== undefined) return !redis.tls && redis.hosts.some(({ host }) => !isLoopback(host));
  const host = hostOf(url);
  if (host === undefined || host === '' || isLoopback(host)) return false;
  return !TLS_MODES.has(new URL(url).searchParams.get('sslmode') ?? '');
}

function urlProblem(url: string, settings: Settings): string | undefined {
  if (!hasReadablePassword(url)) return 'its password has a % that is not written as %25';
  const store = isProduction(settings) ? storeIn(url) : undefined;
  if (store === undefined) return undefined;
  const { password: value } = store;
  if (value !== '') {
    // It is judged under that name.
    if (STORE_PASSWORDS.some((name) => valueOf(settings, name) === value)) return undefined;
    const problem = passwordProblem(value, settings, '');
    return problem === undefined ? undefined : `its password ${problem}`;
  }
  return store.needsPassword ? 'must have a password in production' : undefined;
}

function hasReadablePassword(url: string): boolean {
  if (!URL.canParse(url)) return true; // fails the check of its own variable
  try {
    decodeURIComponent(new URL(url).password);
    return true;
  } catch {
    return false;
  }
}

/** @returns undefined for what is no URL of a store, which fails the check of its own variable */
function storeIn(url: string): { password: string; needsPassword: boolean } | undefined {
  const redis = redisAddressOf(url);
  if (redis !== undefined) {
    // A Redis of this machine may do without one.
    const needsPassword = redis.hosts.some(({ host }) => !isLoopback(host));
    return { password: redis.password ?? '', needsPassword };
  }
  if (!URL.canParse(url)) return undefined;
  // The passwords of the services' roles are derived from the owner's.
  return { password: decodeURIComponent(new URL(url).password), needsPassword: true };
}

/** Of two variables with one value the later in the list is named; a URL is later than all. */
function repeatedSecretProblem(
  value: string,
  settings: Settings,
  name: string,
): string | undefined {
  const at = SECRETS.indexOf(name);
  const before = at === -1 ? SECRETS : SECRETS.slice(0, at);
  const same = before.find((other) => valueOf(settings, other) === value);
  return same === undefined ? undefined : `must differ from ${same}`;
}

function isProduction(settings: Settings): boolean {
  return valueOf(settings, 'FIADO_MODE') === 'production';
}

function valueOf(settings: Settings, name: string): unknown {
  return (settings as Record<string, unknown>)[name];
}

/** Lower-case words and a number: no secret generator produces these. */
function hasOneKindOfCharacter(secret: string): boolean {
  return [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(secret)).length < 2;
}

/**
 * Upper bound of the entropy of a text, in bits. Only characters that do not follow from the
 * previous one count (by repetition, by counting on, or as in an earlier pair), each as one of the
 * distinct characters.
 */
function bitsOf(secret: string): number {
  const pairs = new Set<string>();
  let surprises = 0;
  for (let at = 1; at < secret.length; at++) {
    const pair = secret.slice(at - 1, at + 1);
    const step = Math.abs(pair.charCodeAt(1) - pair.charCodeAt(0));
    if (step > 1 && !pairs.has(pair)) surprises++;
    pairs.add(pair);
  }
  return surprises * Math.log2(new Set(secret).size);
}

/** Whether only this machine reaches that host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The host of a URL; undefined for any other text. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replaceAll(/^\[|\]$/g, '') : undefined;
}
