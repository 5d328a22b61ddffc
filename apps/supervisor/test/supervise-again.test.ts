import { until } from '@fiado/shared/testing/until';
import {
  createInstallation,
  type RunningSupervisor,
  type TestInstallation,
} from './support/installation';
import { databasePid, gatewayAnswers, expectNothingLeft } from './support/watch';

let installation: TestInstallation;

beforeEach(async () => {
  installation = await createInstallation();
});

afterEach(() => installation.cleanUp());

describe('npm start, once more', () => {
  it('recovers after it was killed: old services end, and the database is adopted', async () => {
    const first = installation.run();
    await first.says('ready in');
    const server = databasePid(installation);
    first.process.kill('SIGKILL');
    await first.exitCode();

    await installation.run().says('ready in');

    await until(
      'every process has ended',
      () =>
        installation.events().filter((event) => event.endsWith('left on disconnect')).length === 6,
    );
    expect(databasePid(installation)).toBe(server);
  });

  it('refuses a second start on the same data, and leaves the first alone', async () => {
    const first = installation.run();
    await first.says('ready in');
    const second = installation.run();

    expect(await second.exitCode()).toBe(1);

    expect(second.output()).toContain('another npm start is running on this DATA_DIR');
    expect(await gatewayAnswers(installation)).toBe(true);
    first.process.kill('SIGTERM');
    expect(await first.exitCode()).toBe(0);
  });

  it('only one of two concurrent starts succeeds', async () => {
    const both = [installation.run(), installation.run()];
    const ended = (one: RunningSupervisor) => one.process.exitCode !== null;
    await until(
      'one is ready and one has ended',
      () => both.some(ended) && both.some((one) => one.output().includes('ready in')),
    );
    const loser = both.find(ended);

    expect(loser?.process.exitCode).toBe(1);
    expect(loser?.output()).toContain('another npm start is running');
    expect(await gatewayAnswers(installation)).toBe(true);
  });

  it('brings the database back when it is killed', async () => {
    const supervisor = installation.run();
    await supervisor.says('ready in');
    const killed = databasePid(installation);
    process.kill(killed, 'SIGKILL');

    await supervisor.says('connected to the database again');

    expect(databasePid(installation)).not.toBe(killed);
    supervisor.process.kill('SIGTERM');
    expect(await supervisor.exitCode()).toBe(0);
    await expectNothingLeft(installation);
  });
});
