import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESS_NAMES } from '@fiado/shared/contracts/process-names';

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
  it('stops in order when the reader of its output leaves, as in npm start | head', async () => {
    const supervisor = installation.run();
    supervisor.process.stdout?.destroy();

    expect(await supervisor.exitCode()).toBe(0);
    await expectNothingLeft(installation);
  });

  it('keeps its address in DATA_DIR while it runs', async () => {
    const file = join(installation.dataDir, 'address.json');
    const supervisor = installation.run();
    await supervisor.says('ready in');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      baseUrl: `http://127.0.0.1:${installation.ports['PORT']}`,
    });

    supervisor.process.kill('SIGTERM');
    await supervisor.exitCode();
    expect(existsSync(file)).toBe(false);
  });

  it.runIf(onLinux)('shows SMS and warnings on a terminal, and keeps logs in a file', async () => {
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
  });

  it('prints JSON logs and makes no log file when its output is no terminal', async () => {
    const supervisor = installation.run();
    await supervisor.says('ready in');

    expect(supervisor.output()).toContain('{"level":30,"service":"accounts","msg":"listening"}');
    expect(existsSync(join(installation.dataDir, 'logs'))).toBe(false);
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
});
