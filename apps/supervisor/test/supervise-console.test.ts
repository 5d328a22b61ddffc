import { createServer } from 'node:net';

import { until } from '@fiado/shared/testing/until';
import { createInstallation, type TestInstallation } from './support/installation';
import {
  expectNothingLeft,
  gatewayAnswers,
  pidOf,
  starts,
  untilConsoleAnswers,
} from './support/watch';

let installation: TestInstallation;
beforeEach(async () => {
  installation = await createInstallation();
});
afterEach(() => installation.cleanUp());

it('the console runs beside the services: its address and a sign-in link are printed, and it gets no secret', async () => {
  const supervisor = installation.run();
  await supervisor.says('ready in');

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

it('a taken port of the console is a warning that names the variable, and Fiado runs', async () => {
  const port = installation.ports['CONSOLE_PORT'];
  const other = createServer().listen(port, '127.0.0.1');
  const supervisor = installation.run();
  await supervisor.says('ready in');
  other.close();

  expect(supervisor.output()).toContain(
    `Fiado runs without its console: port ${port} is taken by another program: set CONSOLE_PORT to a free one`,
  );
  expect(supervisor.output()).not.toMatch(/console +http|invitacion/);
  expect(await gatewayAnswers(installation)).toBe(true);
  expect(starts(installation, 'console')).toBe(0);
});

it('a console that dies is started again, and no service is', async () => {
  const supervisor = installation.run();
  await supervisor.says('ready in');
  await untilConsoleAnswers(installation);
  process.kill(pidOf(installation, 'console'), 'SIGKILL');

  await until('the console is there again', () => starts(installation, 'console') === 2);
  expect(supervisor.output()).toContain('console was ended by SIGKILL, restarting in 200 ms');
  expect(starts(installation, 'gateway')).toBe(1);
  supervisor.process.kill('SIGTERM');
  expect(await supervisor.exitCode()).toBe(0);
  await expectNothingLeft(installation);
});

it('a console that rejects its configuration leaves Fiado running', async () => {
  installation.control('console.refuse');
  const supervisor = installation.run();
  await supervisor.says('Fiado runs without its console, which rejected its configuration');

  await supervisor.says('ready in');
  expect(await gatewayAnswers(installation)).toBe(true);
});
