import { until } from '@fiado/chassis/testing/until';
import {
  createInstallation,
  type RunningSupervisor,
  type TestInstallation,
} from './support/installation';
import { databasePid, gatewayAnswers, expectNothingLeft } from './support/watch';

describe('npm start, once more', () => {
  let installation: TestInstallation;
  let first: RunningSupervisor;
  let second: RunningSupervisor;
  beforeAll(async () => {
    installation = await createInstallation();
  });
  afterAll(() => installation.cleanUp());

  it('only one of two concurrent starts succeeds', async () => {
    const both = [installation.run(), installation.run()] as const;
    const ended = (one: RunningSupervisor) => one.process.exitCode !== null;
    await until(
      'one is ready and one has ended',
      () => both.some(ended) && both.some((one) => one.output().includes('ready in')),
    );
    const [one, other] = both;
    first = ended(one) ? other : one;
    const loser = ended(one) ? one : other;

    expect(loser.process.exitCode).toBe(1);
    expect(loser.output()).toContain('another npm start is running');
    expect(await gatewayAnswers(installation)).toBe(true);
  });

  it('recovers after it was killed: old services end, and the database is adopted', async () => {
    const server = databasePid(installation);
    first.process.kill('SIGKILL');
    await first.exitCode();

    second = installation.run();
    await second.says('ready in');

    await until(
      'every process has ended',
      () =>
        installation.events().filter((event) => event.endsWith('left on disconnect')).length === 6,
    );
    expect(databasePid(installation)).toBe(server);
  });

  it('brings the database back when it is killed', async () => {
    const killed = databasePid(installation);
    process.kill(killed, 'SIGKILL');

    await second.says('connected to the database again');

    expect(databasePid(installation)).not.toBe(killed);
    second.process.kill('SIGTERM');
    expect(await second.exitCode()).toBe(0);
    await expectNothingLeft(installation);
  });
});
