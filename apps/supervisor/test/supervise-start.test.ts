import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { PROCESS_NAMES } from '@fiado/contracts/process-names';
import { until } from '@fiado/chassis/testing/until';
import { createInstallation, SCRIPT, type TestInstallation } from './support/installation';
import { startRedisStandIn } from './support/redis-stand-in';
import { expectNothingLeft, starts, untilConsoleAnswers } from './support/watch';

const onLinux = process.platform === 'linux' && existsSync(SCRIPT);
const CTRL_C = '\u0003';

let installation: TestInstallation;

beforeEach(async () => {
  installation = await createInstallation();
});

afterEach(() => installation.cleanUp());

describe('npm start', () => {
  /** Moments of a start by what it leaves behind: a file, or the event of a stand-in. */
  const MOMENTS: Array<[string, () => boolean]> = [
    [
      'the database starts',
      () => existsSync(join(installation.dataDir, 'postgres/data/postmaster.pid')),
    ],
    ['it migrates', () => installation.events().some((event) => event.endsWith('migrated'))],
    ['its services start', () => starts(installation, 'accounts') > 0],
  ];

  it.each(MOMENTS)('stops cleanly while %s', async (_moment, isIt) => {
    const supervisor = installation.run();
    await until('the moment is there', isIt);
    supervisor.process.kill('SIGTERM');

    expect(await supervisor.exitCode()).toBe(0);
    await expectNothingLeft(installation);
  });

  it('stops in order when the reader of its output leaves, as in npm start | head', async () => {
    const supervisor = installation.run();
    supervisor.process.stdout?.destroy();

    expect(await supervisor.exitCode()).toBe(0);
    await expectNothingLeft(installation);
  });

  it('ends everything with 78 when a service refuses its configuration', async () => {
    installation.control('accounts.refuse');
    const supervisor = installation.run();

    expect(await supervisor.exitCode()).toBe(78);
    expect(supervisor.output()).toContain('accounts rejected its configuration');
    await expectNothingLeft(installation);
  });

  it('ends when a migration fails', async () => {
    installation.control('migrate.fail');
    const supervisor = installation.run();

    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toContain('the migration failed (exit code 3)');
    expect(starts(installation, 'gateway')).toBe(0);
    await expectNothingLeft(installation);
  });

  it('names the services that do not become ready', async () => {
    installation.control('notifier.unready');
    // On a busy machine others are late too.
    const supervisor = installation.run({}, 1_000);

    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toMatch(/not ready within 1 s: .*notifier/);
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

  it('names an unreachable Redis in one line and starts nothing', async () => {
    const supervisor = installation.run({ REDIS_URL: 'redis://:secret@127.0.0.1:1/2' });

    expect(await supervisor.exitCode()).toBe(1);
    const lines = supervisor.output().split('\n');
    expect(lines.filter((line) => /redis/i.test(line))).toEqual([
      'REDIS_URL: no connection: connect ECONNREFUSED 127.0.0.1:1',
    ]);
    expect(supervisor.output()).not.toContain('secret');
    expect(starts(installation, 'gateway')).toBe(0);
    await expectNothingLeft(installation);
  });

  it('names a Redis that refuses the password in one line', async () => {
    const refusing = await startRedisStandIn('-WRONGPASS invalid username-password pair');
    const url = `redis://fiado:secret@${refusing.address}/2`;
    const supervisor = installation.run({ REDIS_URL: url });

    expect(await supervisor.exitCode()).toBe(1);
    refusing.stop();
    expect(supervisor.output()).toContain('REDIS_URL: no connection: WRONGPASS');
    expect(supervisor.output()).not.toContain('secret');
  });

  (onLinux ? it : it.skip)(
    'shows SMS and warnings on a terminal, and keeps logs in a file',
    async () => {
      installation.control('notifier.warn');
      const supervisor = installation.runOnTerminal();
      await supervisor.says('ready in');
      await supervisor.says('└');
      await untilConsoleAnswers(installation);

      expect(supervisor.output()).toMatch(/accounts +ready on port \d+/);
      expect(supervisor.output()).toContain('WARN  notifier: slow database');
      expect(supervisor.output()).toMatch(
        /┌─ SMS to \*{8}0101 ─+┐\r?\n│ 123456 es tu clave +│\r?\n└/,
      );
      expect(supervisor.output()).not.toMatch(/listening|\{"level"/);
      const logs = readFileSync(join(installation.dataDir, 'logs/fiado.log'), 'utf8')
        .trim()
        .split('\n');
      const lines = logs.map((line) => JSON.parse(line) as { service: string; msg: string });
      expect(lines).toContainEqual({ level: 40, service: 'notifier', msg: 'slow database' });
      expect(new Set(lines.map(({ service }) => service))).toEqual(
        new Set([...PROCESS_NAMES, 'console']),
      );

      supervisor.process.stdin?.write(CTRL_C);
      expect(await supervisor.exitCode()).toBe(0);
      await expectNothingLeft(installation);
    },
  );
});
