import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildHouse, SCRIPT, type TestHouse } from './support/house';
import { startRedisStandIn } from './support/redis-stand-in';
import { expectNothingLeft, starts } from './support/watch';

const onLinux = process.platform === 'linux' && existsSync(SCRIPT);
const CTRL_C = '\u0003';

let house: TestHouse;

beforeEach(async () => {
  house = await buildHouse();
});

afterEach(() => house.cleanUp());

describe('npm start', () => {
  it('stops in order when the reader of its output leaves, as in npm start | head', async () => {
    const supervisor = house.run();
    supervisor.process.stdout?.destroy();

    expect(await supervisor.exitCode()).toBe(0);
    await expectNothingLeft(house);
  });

  it('keeps its address in DATA_DIR while it runs', async () => {
    const file = join(house.dataDir, 'address.json');
    const supervisor = house.run();
    await supervisor.says('ready in');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      baseUrl: `http://127.0.0.1:${house.ports['PORT']}`,
    });

    supervisor.process.kill('SIGTERM');
    await supervisor.exitCode();
    expect(existsSync(file)).toBe(false);
  });

  it.runIf(onLinux)('shows SMS and warnings on a terminal, and keeps logs in a file', async () => {
    house.control('notifier.warn');
    const supervisor = house.runOnTerminal();
    await supervisor.says('ready in');
    await supervisor.says('└');

    expect(supervisor.output()).toMatch(/accounts +ready on port \d+/);
    expect(supervisor.output()).toContain('WARN  notifier: slow database');
    expect(supervisor.output()).toMatch(
      /┌─ SMS to \*{8}0101 ─+┐\r?\n│ 123456 es tu clave +│\r?\n└/,
    );
    expect(supervisor.output()).not.toMatch(/listening|\{"level"/);
    const logs = readFileSync(join(house.dataDir, 'logs/fiado.log'), 'utf8').trim().split('\n');
    const lines = logs.map((line) => JSON.parse(line) as { service: string; msg: string });
    expect(lines).toContainEqual({ level: 40, service: 'notifier', msg: 'slow database' });
    expect(new Set(lines.map(({ service }) => service)).size).toBe(5);

    supervisor.process.stdin?.write(CTRL_C);
    expect(await supervisor.exitCode()).toBe(0);
    await expectNothingLeft(house);
  });

  it('prints JSON logs and makes no log file when its output is no terminal', async () => {
    const supervisor = house.run();
    await supervisor.says('ready in');

    expect(supervisor.output()).toContain('{"level":30,"service":"accounts","msg":"listening"}');
    expect(existsSync(join(house.dataDir, 'logs'))).toBe(false);
  });

  it('names an unreachable Redis in one line and starts nothing', async () => {
    const supervisor = house.run({ REDIS_URL: 'redis://:secret@127.0.0.1:1/2' });

    expect(await supervisor.exitCode()).toBe(1);
    const lines = supervisor.output().split('\n');
    expect(lines.filter((line) => /redis/i.test(line))).toEqual([
      'REDIS_URL: no connection: connect ECONNREFUSED 127.0.0.1:1',
    ]);
    expect(supervisor.output()).not.toContain('secret');
    expect(starts(house, 'gateway')).toBe(0);
    await expectNothingLeft(house);
  });

  it('names a Redis that refuses the password in one line', async () => {
    const refusing = await startRedisStandIn('-WRONGPASS invalid username-password pair');
    const url = `redis://fiado:secret@${refusing.address}/2`;
    const supervisor = house.run({ REDIS_URL: url });

    expect(await supervisor.exitCode()).toBe(1);
    refusing.stop();
    expect(supervisor.output()).toContain('REDIS_URL: no connection: WRONGPASS');
    expect(supervisor.output()).not.toContain('secret');
  });
});
