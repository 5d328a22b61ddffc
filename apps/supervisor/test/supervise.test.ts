import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { until } from '@fiado/chassis/testing/until';
import { SERVICES } from '../src/services';
import {
  createInstallation,
  type RunningSupervisor,
  type TestInstallation,
} from './support/installation';
import { startRedisStandIn, type RedisStandIn } from './support/redis-stand-in';
import {
  expectNothingLeft,
  gatewayAnswers,
  pidOf,
  starts,
  untilConsoleAnswers,
} from './support/watch';

/** One run from its start to Ctrl-C, and the next one on its data; its tests follow each other. */
describe('npm start', () => {
  let installation: TestInstallation;
  let redis: RedisStandIn;
  let supervisor: RunningSupervisor;
  beforeAll(async () => {
    installation = await createInstallation();
    redis = await startRedisStandIn();
    supervisor = installation.run({
      STRANGER: 'x',
      REDIS_URL: `redis://${redis.address}`,
      TRANSACTIONS_URL: 'http://127.0.0.1:9',
    });
    await supervisor.says('ready in');
  });
  afterAll(async () => {
    await installation.cleanUp();
    redis.stop();
  });
  const read = (file: string) => readFileSync(join(installation.dataDir, file), 'utf8');

  it('prints a first curl that works, and ends with one line that it is ready', async () => {
    expect(supervisor.output()).toMatch(/\nready in \d+\.\d s\n$/);
    expect(supervisor.output().match(/ready in/g)).toHaveLength(1);
    const curl = /^ {2}(curl .*)$/m.exec(supervisor.output())?.[1] ?? '';
    const answer = execFileSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' });
    expect(JSON.parse(answer)).toEqual({ call: 'GET /v1/corner-store/external/tienda-001' });
  });

  it('prints JSON logs and makes no log file when its output is no terminal', () => {
    expect(supervisor.output()).toContain('{"level":30,"service":"accounts","msg":"listening"}');
    expect(existsSync(join(installation.dataDir, 'logs'))).toBe(false);
  });

  it('keeps its address in DATA_DIR while it runs', () => {
    expect(JSON.parse(read('address.json'))).toEqual({
      baseUrl: `http://127.0.0.1:${installation.ports['PORT']}`,
    });
  });

  it('gives each process its own secrets and database role, and no other', () => {
    const secrets = readFileSync(join(installation.dataDir, 'secrets.json'), 'utf8');
    const stored = JSON.parse(secrets) as Record<string, string>;
    const held = (name: string) => {
      const values = Object.values(installation.environmentOf(name));
      return Object.keys(stored).filter((secret) => values.includes(stored[secret] ?? ''));
    };
    expect(held('gateway')).toEqual(['GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY']);
    expect(held('accounts').sort()).toEqual([
      'ACCESS_TOKEN_PRIVATE_KEY',
      'ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY',
      'CODE_PEPPER',
      'ENCRYPTION_KEY',
      'OPS_API_KEY',
    ]);
    expect(held('transactions').sort()).toEqual([
      'CODE_PEPPER',
      'ENCRYPTION_KEY',
      'TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY',
    ]);
    expect(held('payments')).toEqual(['PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY']);
    expect(held('notifier').sort()).toEqual([
      'ENCRYPTION_KEY',
      'NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY',
    ]);

    expect(installation.environmentOf('gateway')).not.toHaveProperty('DATABASE_URL');
    expect(installation.environmentOf('gateway')).not.toHaveProperty('REDIS_URL');
    const payments = installation.environmentOf('payments');
    expect(payments).not.toHaveProperty('STRANGER');
    expect(payments).toMatchObject({
      FIADO_MODE: 'sandbox',
      ACCOUNTS_URL: `http://127.0.0.1:${installation.ports['ACCOUNTS_PORT']}`,
      DATABASE_URL: expect.stringContaining('//fiado_payments:') as string,
      QUEUES_DATABASE_URL: expect.stringContaining('//fiado_bullmq:') as string,
      REDIS_URL: `redis://${redis.address}`,
    });
    expect(installation.environmentOf('migrate')['DATABASE_URL']).toContain('//fiado:');
  });

  it('passes a configured service URL, such as of a proxy, to all services', () => {
    for (const service of ['gateway', 'accounts', 'payments']) {
      expect(installation.environmentOf(service)).toMatchObject({
        ACCOUNTS_URL: `http://127.0.0.1:${installation.ports['ACCOUNTS_PORT']}`,
        TRANSACTIONS_URL: 'http://127.0.0.1:9',
      });
    }
  });

  it('the console runs with the services: its address and a sign-in link are printed, and it gets no secret', async () => {
    const { CONSOLE_PORT, PORT } = installation.ports;
    expect(supervisor.output()).toContain(`  console        http://localhost:${CONSOLE_PORT}\n`);
    expect(supervisor.output()).toContain('  http://localhost/invitacion/fiado_invite_demo\n');
    await untilConsoleAnswers(installation);
    expect(installation.environmentOf('console')).toMatchObject({
      FIADO_MODE: 'sandbox',
      CONSOLE_URL: `http://localhost:${CONSOLE_PORT}`,
      GATEWAY_URL: `http://127.0.0.1:${PORT}`,
      NODE_OPTIONS: expect.stringContaining('--max-old-space-size=') as string,
    });
    expect(Object.keys(installation.environmentOf('console')).join()).not.toMatch(
      /KEY|SECRET|PEPPER|TOKEN|DATABASE|REDIS/,
    );
    expect(installation.environmentOf('accounts')).toMatchObject({
      CONSOLE_URL: `http://localhost:${CONSOLE_PORT}`,
    });
  });

  it('a process has a smaller young generation where no order runs through', () => {
    const names = [...SERVICES.map(({ name }) => name), 'console'];
    const smaller = names.filter((name) =>
      installation.environmentOf(name)['NODE_OPTIONS']?.includes('--max-semi-space-size='),
    );

    expect(smaller).toEqual(['accounts', 'payments', 'console']);
  });

  it('refuses a second start on the same data, and leaves the first alone', async () => {
    const second = installation.run();

    expect(await second.exitCode()).toBe(1);
    expect(second.output()).toContain('another npm start is running on this DATA_DIR');
    expect(await gatewayAnswers(installation)).toBe(true);
  });

  it('starts a service or the console again that was killed, and no other', async () => {
    for (const name of ['payments', 'console']) {
      process.kill(pidOf(installation, name), 'SIGKILL');
      await until(`${name} is there again`, () => starts(installation, name) === 2);
      expect(supervisor.output()).toContain(`${name} was ended by SIGKILL, restarting in 200 ms`);
    }
    await untilConsoleAnswers(installation);
    expect(starts(installation, 'gateway')).toBe(1);
  });

  it('stops callers before the called, then the database, and leaves nothing behind', async () => {
    process.kill(-(supervisor.process.pid ?? 0), 'SIGINT'); // Ctrl-C hits the whole group

    expect(await supervisor.exitCode()).toBe(0);

    const left = installation.events().filter((event) => event.includes('left'));
    expect(left.slice(0, 2)).toEqual(['console left on SIGTERM', 'gateway left on SIGTERM']);
    expect(left[5]).toBe('notifier left on SIGTERM');
    expect(existsSync(join(installation.dataDir, 'address.json'))).toBe(false);
    await expectNothingLeft(installation);
  });

  it('keeps secrets and demo for the owner alone, and over a restart', async () => {
    const before = [read('secrets.json'), read('demo.json')];

    await installation.run().says('ready in');

    expect([read('secrets.json'), read('demo.json')]).toEqual(before);
    for (const file of ['secrets.json', 'demo.json']) {
      expect(statSync(join(installation.dataDir, file)).mode & 0o777).toBe(0o600);
    }
  });
});
