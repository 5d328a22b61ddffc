import { isIP } from 'node:net';
import { problemsOf } from '@fiado/chassis/config';
import { REDIS_FORMS, redisAddressOf } from '@fiado/chassis/jobs/redis-address';
import { secretProblem } from '@fiado/chassis/weak-settings';
import { allOf, IsIntegerText, Obeys } from '@fiado/contracts/decorators';
import { signingKeysOf } from '@fiado/contracts/signing-keys';

/** The settings that a rule about another one looks at. */
interface Settings {
  FIADO_MODE?: string;
  DATABASE_URL?: string;
  PORT?: number;
  ACCOUNTS_PORT?: number;
  TRANSACTIONS_PORT?: number;
  PAYMENTS_PORT?: number;
  NOTIFIER_PORT?: number;
}

/** The problem of a variable, or undefined. Must never contain the value. */
type Rule = (
  value: string | number | undefined,
  config: Settings,
  name: string,
) => string | undefined;

/** Decorator: a variable by the rule of a service's configuration class. */
export function IsAsIn(Config: new () => object): PropertyDecorator {
  // Of one look at the class, which all of its variables share.
  const known = new WeakMap<object, Map<string, string>>();
  return Obeys((_value: unknown, config: object, name) => {
    const problems = known.get(config) ?? problemsOf(Config, config);
    known.set(config, problems);
    return problems.get(name);
  });
}

/** The embedded database is for one machine and for trying out. */
export const isDatabaseUrl: Rule = (url, { FIADO_MODE }) => {
  if (url === undefined) {
    return FIADO_MODE === 'production'
      ? 'is required in production, which does not use the embedded database'
      : undefined;
  }
  return /^postgres(ql)?:\/\/[^/]/.test(String(url)) && URL.canParse(String(url))
    ? undefined
    : 'must be a URL such as postgresql://owner:password@host:5432/fiado';
};

/** The roles' passwords are derived from the owner's, which both URLs must name. */
export const isSameOwnersUrl: Rule = (url, { DATABASE_URL = '' }) =>
  URL.canParse(String(url)) &&
  URL.canParse(DATABASE_URL) &&
  ownerIn(String(url)) === ownerIn(DATABASE_URL)
    ? undefined
    : 'must be a URL with the user and the password of DATABASE_URL';

function ownerIn(url: string): string {
  const { username, password } = new URL(url);
  return `${username}:${password}`;
}

/** A secret may be missing in sandbox, where it is generated. */
export const isSecret: Rule = (value, config, name) => {
  if (value === undefined) return requiredInProduction(value, config, name);
  return secretProblem(value, config, name);
};

const requiredInProduction: Rule = (value, { FIADO_MODE }) =>
  value === undefined && FIADO_MODE === 'production' ? 'is required in production' : undefined;

/** An Ed25519 private key, PKCS8 PEM, in base64 on one line. */
export const isSigningKey: Rule = (value, config, name) => {
  if (value === undefined) return requiredInProduction(value, config, name);
  try {
    signingKeysOf(String(value));
    return undefined;
  } catch {
    // The parser's message may quote the key.
    return 'must be an Ed25519 private key: PKCS8 PEM, in base64 on one line';
  }
};

/** No two processes can listen on one port. */
const isOwnPort: Rule = (port, config) => {
  const ports = [
    config.PORT,
    config.ACCOUNTS_PORT,
    config.TRANSACTIONS_PORT,
    config.PAYMENTS_PORT,
    config.NOTIFIER_PORT,
  ];
  return ports.filter((other) => other === port).length > 1
    ? 'is the port of another service too'
    : undefined;
};

/** Redis, by TLS or not; unset is fine. */
export const isRedisUrl: Rule = (url) =>
  url === undefined || redisAddressOf(String(url)) !== undefined ? undefined : REDIS_FORMS;

/** An address or a host name to listen on. */
export const isHost: Rule = (host) =>
  typeof host === 'string' && (isIP(host) > 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host))
    ? undefined
    : 'must be an IP address or a host name';

/** Decorator: a port of one process alone. */
export function IsPort(): PropertyDecorator {
  return allOf(IsIntegerText(1, 65_535), Obeys(isOwnPort));
}
