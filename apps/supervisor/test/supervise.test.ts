import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { until } from '@fiado/shared/testing/until';
import { createInstallation, type TestInstallation } from './support/installation';
import { startRedisStandIn } from './support/redis-stand-in';
import { expectNothingLeft, pidOf, starts, untilConsoleAnswers } from './support/watch';

let installation: TestInstallation;

beforeEach(async () => {
  installation = await createInstallation();
});

afterEach(() => installation.cleanUp());

describe('npm start', () => {
  it('prints a first curl that works, and ends with one line that it is ready', async () => {
    const supervisor = installation.run();
    await supervisor.says('ready in');

    expect(supervisor.output()).toMatch(/\nready in \d+\.\d s\n$/);
    expect(supervisor.output().match(/ready in/g)).toHaveLength(1);
    const curl = /^ {2}(curl .*)$/m.exec(supervisor.output())?.[1] ?? '';
    const answer = execFileSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' });
    expect(JSON.parse(answer)).toEqual({ call: 'GET /v1/corner-store/external/tienda-001' });
  });

  it('gives each process its own secrets and database role, and no other', async () => {
    const redis = await startRedisStandIn();
    const redisUrl = `redis://${redis.address}`;
    await installation.run({ STRANGER: 'x', REDIS_URL: redisUrl }).says('ready in');
    redis.stop();

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
      REDIS_URL: redisUrl,
    });
    expect(installation.environmentOf('payments', 'migrate')['DATABASE_URL']).toContain('//fiado:');
  });

  it('passes a configured service URL, such as of a proxy, to all services', async () => {
    const supervisor = installation.run({ TRANSACTIONS_URL: 'http://127.0.0.1:9' });
    await supervisor.says('ready in');

    for (const service of ['gateway', 'accounts', 'payments']) {
      expect(installation.environmentOf(service)).toMatchObject({
        ACCOUNTS_URL: `http://127.0.0.1:${installation.ports['ACCOUNTS_PORT']}`,
        TRANSACTIONS_URL: 'http://127.0.0.1:9',
      });
    }
  });

  it('keeps secrets and demo for the owner alone, and over a restart', async () => {
    const read = (file: string) => readFileSync(join(installation.dataDir, file), 'utf8');
    const first = installation.run();
    await first.says('ready in');
    const before = [read('secrets.json'), read('demo.json')];
    first.process.kill('SIGTERM');
    expect(await first.exitCode()).toBe(0);

    await installation.run().says('ready in');

    expect([read('secrets.json'), read('demo.json')]).toEqual(before);
    for (const file of ['secrets.json', 'demo.json']) {
      expect(statSync(join(installation.dataDir, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('stops callers before the called, then the database, and leaves nothing behind', async () => {
    const supervisor = installation.run();
    await supervisor.says('ready in');
    await untilConsoleAnswers(installation);
    process.kill(-(supervisor.process.pid ?? 0), 'SIGINT'); // Ctrl-C hits the whole group

    expect(await supervisor.exitCode()).toBe(0);

    const left = installation.events().filter((event) => event.includes('left'));
    expect(left.slice(0, 2)).toEqual(['console left on SIGTERM', 'gateway left on SIGTERM']);
    expect(left[5]).toBe('notifier left on SIGTERM');
    await expectNothingLeft(installation);
  });

  it('takes the same Ctrl-C twice, from the terminal and from npm, as one', async () => {
    const supervisor = installation.run();
    await supervisor.says('ready in');
    installation.control('payments.stubborn');
    supervisor.process.kill('SIGINT');
    supervisor.process.kill('SIGINT');
    await supervisor.says('stopping');
    await pause(1_200);
    expect(supervisor.output()).not.toContain('stopping without waiting');

    supervisor.process.kill('SIGINT');

    expect(await supervisor.exitCode()).toBe(0);
    expect(supervisor.output()).toContain('stopping without waiting');
    await expectNothingLeft(installation);
  });

  it.each([100, 500, 900, 1_300])('stops cleanly %i ms into its start', async (afterMs) => {
    const supervisor = installation.run();
    await pause(afterMs + 400); // Node and the sources load first
    supervisor.process.kill('SIGTERM');

    // null: on a busy machine the signal may come before there is a handler, and nothing is begun.
    expect([0, null]).toContain(await supervisor.exitCode());
    await expectNothingLeft(installation);
  });

  it('starts a service again that was killed', async () => {
    const supervisor = installation.run();
    await supervisor.says('ready in');
    process.kill(pidOf(installation, 'payments'), 'SIGKILL');

    await until('payments is there again', () => starts(installation, 'payments') === 2);
    expect(supervisor.output()).toContain('payments was ended by SIGKILL, restarting in 200 ms');
  });

  it('ends everything with 78 when a service refuses its configuration', async () => {
    installation.control('accounts.refuse');
    const supervisor = installation.run();

    expect(await supervisor.exitCode()).toBe(78);
    expect(supervisor.output()).toContain('accounts rejected its configuration');
    await expectNothingLeft(installation);
  });

  it('ends when a migration fails', async () => {
    installation.control('payments.fail-migration');
    const supervisor = installation.run();

    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toContain('the migration of payments failed (exit code 3)');
    expect(starts(installation, 'gateway')).toBe(0);
    await expectNothingLeft(installation);
  });

  it('names the services that do not become ready', async () => {
    installation.control('notifier.unready');
    const supervisor = installation.run({}, 10_000);

    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toContain('not ready within 10 s: notifier');
    await expectNothingLeft(installation);
  });

  it('names the port in use and the variable that changes it', async () => {
    const port = installation.ports['PAYMENTS_PORT'];
    const other = createServer().listen(port, '127.0.0.1');
    const supervisor = installation.run();

    expect(await supervisor.exitCode()).toBe(1);
    other.close();
    expect(supervisor.output()).toContain(
      `port ${port} is taken by another program: set PAYMENTS_PORT to a free one`,
    );
    expect(starts(installation, 'gateway')).toBe(0);
  });
});
