import { isURL, ValidateBy } from 'class-validator';

const WEB_ADDRESS = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };

/**
 * Decorator: the address of the console, without a path. Passkeys belong to a host name, and browsers
 * have them on https or on localhost only.
 */
export function IsConsoleUrl(): PropertyDecorator {
  return checkedBy(
    'isConsoleUrl',
    'must be like https://console.example.com, or http://localhost:3010 on this machine',
    (value) => {
      if (typeof value !== 'string' || !isURL(value, WEB_ADDRESS)) return false;
      const { protocol, hostname, origin, href } = new URL(value);
      const isName = !/^[\d.]+$|^\[/.test(hostname);
      const isBare = href === `${origin}/`;
      return isBare && isName && (protocol === 'https:' || hostname === 'localhost');
    },
  );
}

/** Decorator: the identity provider's issuer. http only on this machine, in a sandbox. */
export function IsIssuerUrl(): PropertyDecorator {
  return checkedBy('isIssuerUrl', 'must be a URL that begins with https', (value, settings) => {
    if (typeof value !== 'string' || !isURL(value, WEB_ADDRESS)) return false;
    const { protocol, hostname } = new URL(value);
    const isLocalSandbox =
      settings['FIADO_MODE'] !== 'production' && ['localhost', '127.0.0.1'].includes(hostname);
    return protocol === 'https:' || isLocalSandbox;
  });
}

/** Decorator: a text that is set if that other variable is, and only then. */
export function IsNeededWith(other: string): PropertyDecorator {
  return checkedBy('isNeededWith', `must be set together with ${other}`, (value, settings) =>
    settings[other] === undefined
      ? value === undefined
      : typeof value === 'string' && value.length > 0,
  );
}

type Settings = Record<string, unknown>;

function checkedBy(
  name: string,
  message: string,
  validate: (value: unknown, settings: Settings) => boolean,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value, args) => validate(value, (args?.object ?? {}) as Settings),
      defaultMessage: () => message,
    },
  });
}
