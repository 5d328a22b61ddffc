import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';

import { MIN_SECRET_LENGTH } from '@fiado/shared/chassis/service-config';
import { registerDecorator, type ValidationArguments } from 'class-validator';

import type { SupervisorConfig } from './config';

/** What is wrong with a variable, or undefined. Must never hold the value. */
type Rule = (value: string | number | undefined, config: SupervisorConfig) => string | undefined;

/** Decorator: the rule sees the other variables too, and is asked even when this one is unset. */
export function Obeys(rule: Rule): PropertyDecorator {
  return (target, propertyKey) => {
    const problemOf = (value: unknown, args?: ValidationArguments) =>
      rule(value as string | number | undefined, args?.object as SupervisorConfig);
    registerDecorator({
      name: rule.name,
      target: target.constructor,
      propertyName: String(propertyKey),
      validator: {
        validate: (value, args) => problemOf(value, args) === undefined,
        defaultMessage: (args) => problemOf(args?.value, args) ?? 'is not valid',
      },
    });
  };
}

/** sandbox may be a default only where nobody else can be reached or hurt. */
export const isMode: Rule = (mode, { HOST, DATABASE_URL }) => {
  if (mode !== undefined) {
    return mode === 'sandbox' || mode === 'production'
      ? undefined
      : 'must be sandbox or production';
  }
  const choose = 'choose sandbox (for trying out) or production';
  if (!isLoopback(HOST)) return `${choose}: HOST is beyond this machine`;
  if (DATABASE_URL !== undefined && !isLoopback(hostOf(DATABASE_URL))) {
    return `${choose}: DATABASE_URL is another machine`;
  }
  return undefined;
};

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

/** A secret may be missing in sandbox, where it is generated. */
export const isSecret: Rule = (value, config) => {
  if (value === undefined) return requiredInProduction(value, config);
  return typeof value === 'string' && value.length >= MIN_SECRET_LENGTH
    ? undefined
    : `must have at least ${MIN_SECRET_LENGTH} characters`;
};

const requiredInProduction: Rule = (value, { FIADO_MODE }) =>
  value === undefined && FIADO_MODE === 'production' ? 'is required in production' : undefined;

/** An Ed25519 private key, PKCS8 PEM, in base64 on one line. */
export const isSigningKey: Rule = (value, config) => {
  if (value === undefined) return requiredInProduction(value, config);
  try {
    const key = createPrivateKey(Buffer.from(String(value), 'base64'));
    if (key.asymmetricKeyType === 'ed25519') return undefined;
  } catch {
    // The parser's own words may quote the key.
  }
  return 'must be an Ed25519 private key: PKCS8 PEM, in base64 on one line';
};

export const smsIsReal: Rule = (provider, { FIADO_MODE }) =>
  provider === 'console' && FIADO_MODE === 'production'
    ? 'console is not for production: set it to twilio'
    : undefined;

export const neededForTwilio: Rule = (value, { SMS_PROVIDER }) =>
  value === undefined && SMS_PROVIDER === 'twilio'
    ? 'is required by SMS_PROVIDER twilio'
    : undefined;

/** Twilio sends from a number or from a messaging service. */
export const senderForTwilio: Rule = (value, config) =>
  config.TWILIO_MESSAGING_SERVICE_SID === undefined && neededForTwilio(value, config)
    ? 'this or TWILIO_MESSAGING_SERVICE_SID is required by SMS_PROVIDER twilio'
    : undefined;

/** No two processes can listen on one port. */
export const isOwnPort: Rule = (port, config) => {
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

/** An address or a host name to listen on. */
export const isHost: Rule = (host) =>
  typeof host === 'string' && (isIP(host) > 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host))
    ? undefined
    : 'must be an IP address or a host name';

function isLoopback(host: string | undefined): boolean {
  return host === 'localhost' || host === '::1' || (host ?? '').startsWith('127.');
}

function hostOf(url: string): string | undefined {
  // What is no URL at all fails the check of its own variable.
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : 'localhost';
}
