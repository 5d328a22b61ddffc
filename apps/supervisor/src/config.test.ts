import { generateKeyPairSync } from 'node:crypto';

import { ConfigError, loadConfig } from '@fiado/shared/chassis/config';

import { localUrl, SupervisorConfig } from './config';

const SECRET = 'a-secret-that-nobody-must-ever-read-in-an-error';

const production = {
  FIADO_MODE: 'production',
  DATABASE_URL: 'postgresql://owner:secret@db.example.com:5432/fiado',
  OPS_API_KEY: SECRET,
  INTERNAL_TOKEN_SECRET: SECRET,
  CODE_PEPPER: SECRET,
  ENCRYPTION_KEY: SECRET,
  ACCESS_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  SMS_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+15005550006',
};

describe('SupervisorConfig', () => {
  it('needs nothing for trying out on this machine', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ DATABASE_URL: 'postgresql://owner@localhost/fiado', HOST: '::1' })).toEqual(
      [],
    );
  });

  it('takes a complete production', () => {
    expect(problemsOf(production)).toEqual([]);
    const { TWILIO_FROM: _, ...others } = production;
    expect(problemsOf({ ...others, TWILIO_MESSAGING_SERVICE_SID: 'MG1' })).toEqual([]);
  });

  it.each(Object.keys(production).filter((name) => name !== 'FIADO_MODE'))(
    'refuses production without %s',
    (name) => {
      const env = Object.fromEntries(
        Object.entries(production).filter(([other]) => other !== name),
      );
      expect(problemsOf(env)).toEqual([expect.stringMatching(`^${name}: `)]);
    },
  );

  it.each([
    ['PORT', 'many'],
    ['PORT', '0'],
    ['ACCOUNTS_PORT', '65536'],
    ['NOTIFIER_PORT', '30.5'],
    ['FIADO_MODE', 'staging'],
    ['FIADO_MOOD', 'sandbox'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'ftp://fiado.example'],
    ['DATABASE_URL', 'mysql://localhost/fiado'],
    ['REDIS_URL', 'localhost:6379'],
    ['OPS_API_KEY', 'short'],
    ['CODE_PEPPER', 'short'],
    ['ACCESS_TOKEN_PRIVATE_KEY', SECRET],
    ['ACCESS_TOKEN_PRIVATE_KEY', signingKey('ed448')],
    ['SMS_PROVIDER', 'pigeon'],
    ['RATE_LIMIT_PER_SECOND', '-1'],
    ['IVA_RATE', '16%'],
    ['IVA_RATE', '1.9'],
    ['TIME_ZONE', 'America/Macondo'],
    ['PHONE_REGION', 'Mexico'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s by its name and without its value', (name, value) => {
    const [problem = '', ...others] = problemsOf({ FIADO_MODE: 'sandbox', [name]: value });
    expect(others).toEqual([]);
    expect(problem.startsWith(`${name}: `)).toBe(true);
    expect(problem.slice(name.length)).not.toContain(value);
  });

  it('refuses one port for two services', () => {
    expect(problemsOf({ PORT: '4000', PAYMENTS_PORT: '4000' })).toHaveLength(2);
  });

  it.each([{ HOST: '0.0.0.0' }, { DATABASE_URL: 'postgresql://owner@db.example.com/fiado' }])(
    'asks for a mode when others can be reached: %j',
    (env) => {
      expect(problemsOf(env)).toEqual([
        expect.stringMatching(/^FIADO_MODE: choose sandbox .* or production/),
      ]);
      expect(problemsOf({ ...env, FIADO_MODE: 'sandbox' })).toEqual([]);
    },
  );
});

describe('localUrl', () => {
  it('reaches wildcard addresses through the loopback', () => {
    expect(localUrl('0.0.0.0', 1)).toBe('http://127.0.0.1:1');
    expect(localUrl('::', 1)).toBe('http://[::1]:1');
    expect(localUrl('10.0.0.5', 1)).toBe('http://10.0.0.5:1');
  });
});

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(SupervisorConfig, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function signingKey(kind: 'ed25519' | 'ed448'): string {
  // The overloads know each kind, not their union.
  const { privateKey } =
    kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
}
