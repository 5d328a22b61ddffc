import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import {
  createInstallation,
  type RunningSupervisor,
  type TestInstallation,
} from './support/installation';
import { expectNothingLeft, gatewayAnswers, starts } from './support/watch';

let installation: TestInstallation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation.cleanUp());

it('a taken port of the console is replaced by the next free one, which a line says', async () => {
  const port = installation.ports['CONSOLE_PORT'];
  const other = createServer().listen(port, '127.0.0.1');
  const supervisor = installation.run();
  await supervisor.says('ready in');
  other.close();

  const chosen = new RegExp(`Port ${port} is taken by another program: the console uses (\\d+)`);
  const next = chosen.exec(supervisor.output())?.[1];
  expect(Number(next)).toBeGreaterThan(port ?? 0);
  expect(supervisor.output()).toContain(`  console        http://localhost:${next}\n`);
  supervisor.process.kill('SIGTERM');
  expect(await supervisor.exitCode()).toBe(0);
});

it('a taken port of a console with an address of its own is a warning, and Fiado runs', async () => {
  const port = installation.ports['CONSOLE_PORT'];
  const other = createServer().listen(port, '127.0.0.1');
  const before = starts(installation, 'console');
  const supervisor = installation.run({ CONSOLE_URL: `http://localhost:${port}` });
  await supervisor.says('ready in');
  other.close();

  expect(supervisor.output()).toContain(
    `Fiado runs without its console: port ${port} is taken by another program: set CONSOLE_PORT to a free one`,
  );
  expect(supervisor.output()).not.toMatch(/console +http|invitacion/);
  expect(await gatewayAnswers(installation)).toBe(true);
  expect(starts(installation, 'console')).toBe(before);
  supervisor.process.kill('SIGTERM');
  expect(await supervisor.exitCode()).toBe(0);
});

describe('a console that rejects its configuration', () => {
  let supervisor: RunningSupervisor;

  it('leaves Fiado running', async () => {
    installation.control('console.refuse');
    supervisor = installation.run();
    await supervisor.says('Fiado runs without its console, which rejected its configuration');

    await supervisor.says('ready in');
    expect(await gatewayAnswers(installation)).toBe(true);
  });

  it('takes the same Ctrl-C twice, from the terminal and from npm, as one', async () => {
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
});
