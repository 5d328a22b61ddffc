import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { EXIT_BAD_CONFIG } from '@fiado/chassis/config';
import { SANDBOX_PASSWORD } from '@fiado/chassis/weak-settings';

const ROOT = resolve(__dirname, '../..');
const WEAK_SECRET = 'a'.repeat(40);
const SHARED_SECRET = 'Zk3vQ9pL1xT7mB4nR8sW2yD6hJ0gF5cK';

/** Typical weak settings, each of which is refused. */
const WEAK = {
  FIADO_MODE: 'production',
  PUBLIC_URL: 'http://fiado.example',
  DATABASE_URL: `postgresql://owner:${SANDBOX_PASSWORD}@db.example.com:5432/fiado`,
  REDIS_URL: 'redis://:x@redis.example.com:6379',
  OPS_API_KEY: WEAK_SECRET,
  CODE_PEPPER: SHARED_SECRET,
  ENCRYPTION_KEY: SHARED_SECRET,
  SMS_PROVIDER: 'console',
};

/** Starts a process that is expected to refuse its settings. */
function start(script: string, env: Record<string, string>, args: string[] = []) {
  return new Promise<{ code: unknown; names: string[]; output: string }>((done) => {
    const options = { cwd: ROOT, env: { PATH: process.env.PATH, ...env } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      const names = [...stderr.matchAll(/^ {2}- (\w+): /gm)].map(([, name = '']) => name);
      done({ code: error?.code ?? 0, names, output: stdout + stderr });
    });
  });
}

it('npm start refuses weak settings in production, all by their names and none by its value', async () => {
  const { code, names, output } = await start('apps/supervisor/dist/main.js', WEAK);
  expect(code).toBe(EXIT_BAD_CONFIG);
  const { FIADO_MODE: _mode, CODE_PEPPER: _first, ...refused } = WEAK;
  expect(names).toEqual(expect.arrayContaining(Object.keys(refused)));
  for (const secret of [WEAK_SECRET, SHARED_SECRET, SANDBOX_PASSWORD]) {
    expect(output).not.toContain(secret);
  }
});

it('containers refuse the passwords of a sandbox, Grafana’s among them', async () => {
  const { code, names } = await start(
    'apps/supervisor/dist/containers/main.js',
    { FIADO_MODE: 'production' },
    ['migrate'],
  );
  expect(code).toBe(EXIT_BAD_CONFIG);
  expect(names).toEqual(
    expect.arrayContaining(['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GRAFANA_PASSWORD']),
  );
});

it.each(['gateway', 'accounts', 'transactions', 'payments', 'notifier'])(
  '%s alone asks for its mode when it listens beyond this machine',
  async (service) => {
    const env = { HOST: '0.0.0.0', INTERNAL_HOST: '0.0.0.0' };
    const { code, names } = await start(`services/${service}/dist/main.js`, env);
    expect(code).toBe(EXIT_BAD_CONFIG);
    expect(names).toContain('FIADO_MODE');
  },
);
