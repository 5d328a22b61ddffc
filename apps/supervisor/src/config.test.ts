import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from '@fiado/chassis/config';
import { passwordProblem, secretProblem } from '@fiado/chassis/weak-settings';
import { SupervisorConfig } from './config';
import { localUrl } from './service-environment';

const PASSWORD = randomBytes(24).toString('hex');
const newSecret = () => randomBytes(32).toString('base64');

const production = {
  FIADO_MODE: 'production',
  PUBLIC_URL: 'https://fiado.test',
  DATABASE_URL: `postgresql://owner:${PASSWORD}@db.example.com:5432/fiado`,
  OPS_API_KEY: newSecret(),
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  CODE_PEPPER: newSecret(),
  ENCRYPTION_KEY: newSecret(),
  ACCESS_TOKEN_PRIVATE_KEY: signingKey('ed25519'),
  SMS_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+15005550006',
  LENDER_NAME: 'Financiera del Barrio',
  SUPPORT_PHONE: '55 1234 5678',
  PRIVACY_URL: 'https://lender.example.com/privacidad',
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
    expect(problemsOf({ ...others, TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}` })).toEqual(
      [],
    );
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
    ['INTERNAL_HOST', 'not a host'],
    ['PUBLIC_URL', 'ftp://fiado.example'],
    ['DATABASE_URL', 'mysql://localhost/fiado'],
    ['REDIS_URL', 'localhost:6379'],
    ['PAYMENTS_REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis+sentinel://h1:26379,h2:26379'],
    ['UPLOADS_URL', 'https://s3.example.com/bucket'],
    ['UPLOADS_URL', 's3://bucket/images'],
    ['UPLOADS_URL', 's3://bucket?region=us-east-1&endpoint=minio:9000'],
    ['UPLOADS_URL', 's3://key:secret@bucket?region=us-east-1'],
    ['PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY', newSecret()],
    ['PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS', newSecret()],
    ['ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS', newSecret()],
    ['OPS_API_KEY', 'short'],
    ['CODE_PEPPER', 'short'],
    ['ACCESS_TOKEN_PRIVATE_KEY', newSecret()],
    ['ACCESS_TOKEN_PRIVATE_KEY', signingKey('ed448')],
    ['SMS_PROVIDER', 'pigeon'],
    ['RATE_LIMIT_PER_SECOND', '-1'],
    ['RATE_LIMIT_SHARE', '0.0'],
    ['RATE_LIMIT_SHARE', '1.1'],
    ['RATE_LIMIT_SHARE', 'half'],
    ['IVA_RATE', '16%'],
    ['IVA_RATE', '1.9'],
    ['TIME_ZONE', 'America/Macondo'],
    ['PHONE_REGION', 'Mexico'],
    ['LOG_LEVEL', 'loud'],
    ['LENDER_NAME', '1234'],
    ['SUPPORT_PHONE', 'call us'],
    ['PRIVACY_URL', 'http://lender.example.com'],
  ])('refuses %s=%s by its name and without its value', (name, value) => {
    const [problem = '', ...others] = problemsOf({ FIADO_MODE: 'sandbox', [name]: value });
    expect(others).toEqual([]);
    expect(problem.startsWith(`${name}: `)).toBe(true);
    expect(problem.slice(name.length)).not.toContain(value);
  });

  it.each([
    ['OPS_API_KEY', 'a'.repeat(40)],
    ['CODE_PEPPER', 'correct-horse-battery-staple-and-more'],
    ['CODE_PEPPER_PREVIOUS', 'correct-horse-battery-staple-and-more'],
    ['CODE_PEPPER_PREVIOUS', production.CODE_PEPPER],
    ['ENCRYPTION_KEY', 'Passw0rd'.repeat(5)],
    ['ENCRYPTION_KEY', '0123456789abcdef'.repeat(2)],
    ['ENCRYPTION_KEY', production.OPS_API_KEY],
    ['ENCRYPTION_KEY', production.CODE_PEPPER],
    ['DATABASE_URL', 'postgresql://owner:x@127.0.0.1:5432/fiado'],
    ['DATABASE_URL', 'postgresql://owner@db.example.com:5432/fiado'],
    ['DATABASE_URL', 'postgresql://owner:fiado-local-only@db.example.com:5432/fiado'],
    ['DATABASE_URL', `postgresql://o:${encodeURIComponent(production.CODE_PEPPER)}@db/fiado`],
    ['REDIS_URL', 'redis://:x@127.0.0.1:6379'],
    ['REDIS_URL', 'redis://redis.example.com:6379'],
    ['REDIS_URL', 'redis+sentinel://127.0.0.1:26379,redis.example.com:26379/fiado'],
    ['REDIS_URL', 'redis+cluster://:x@127.0.0.1:6379'],
    ['PUBLIC_URL', 'http://fiado.test'],
    ['PUBLIC_URL', 'https://fiado.example'],
    ['PUBLIC_URL', 'https://fiado.example.com'],
    ['PUBLIC_URL', 'https://example.org/'],
  ])('refuses %s=%s in production, without its value, and takes it in a sandbox', (name, value) => {
    const [problem = '', ...others] = problemsOf({ ...production, [name]: value });
    expect(others).toEqual([]);
    expect(problem.startsWith(`${name}: `)).toBe(true);
    expect(problem.slice(name.length)).not.toContain(value);
    expect(problemsOf({ ...production, [name]: value, FIADO_MODE: 'sandbox' })).toEqual([]);
  });

  it('accepts keys made by openssl', () => {
    for (let made = 0; made < 1_000; made++) {
      // Random to the rule, and the same in every run.
      const bytes = createHash('sha256').update(String(made)).digest();
      const secrets = [
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.subarray(16).toString('hex'),
      ];
      expect(secrets.map((key) => secretProblem(key, production, 'CODE_PEPPER'))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      const password = bytes.subarray(20).toString('hex');
      expect(passwordProblem(password, production, '')).toBeUndefined();
    }
  });

  it('refuses one port for two services', () => {
    expect(problemsOf({ PORT: '4000', PAYMENTS_PORT: '4000' })).toHaveLength(2);
  });

  it.each([
    { HOST: '0.0.0.0' },
    { INTERNAL_HOST: '10.0.0.5' },
    { CONSOLE_HOST: '0.0.0.0' },
    { DATABASE_URL: 'postgresql://owner@db.example.com/fiado' },
  ])('requires FIADO_MODE if others can reach it: %j', (env) => {
    expect(problemsOf(env)).toEqual([
      expect.stringMatching(/^FIADO_MODE: choose sandbox .* or production/),
    ]);
    expect(problemsOf({ ...env, FIADO_MODE: 'sandbox' })).toEqual([]);
  });
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
