import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { testSigningKey } from '@fiado/chassis/testing/process-keys';

import { TcpProxy } from '../../../test/support/tcp-proxy';

import {
  copyCluster,
  createInstallation,
  type RunningSupervisor,
  type TestInstallation,
} from './support/installation';

let installation: TestInstallation;
let postgres: EmbeddedPostgres;
let databaseUrl: string;
beforeAll(async () => {
  installation = await createInstallation({ withCluster: false });
  const dataDir = join(installation.folder, 'elsewhere');
  copyCluster(dataDir);
  postgres = new EmbeddedPostgres({ dataDir, durable: false });
  ({ databaseUrl } = await postgres.start());
});
afterAll(async () => {
  await installation.cleanUp(async () => postgres.stop());
});

/** One run on it; its tests follow each other. */
describe('npm start on a database of your own', () => {
  let supervisor: RunningSupervisor;
  let line: TcpProxy;
  afterAll(() => line.stop());
  const startOther = () => {
    const DATA_DIR = join(installation.folder, 'other');
    return installation.run({ DATABASE_URL: databaseUrl, DATA_DIR });
  };

  it('is the only one on it, whatever its data folder is', async () => {
    line = await TcpProxy.start(databaseUrl);
    supervisor = installation.run({ DATABASE_URL: line.urlOf(databaseUrl) });
    await supervisor.says('ready in');
    const second = startOther();

    expect(await second.exitCode()).toBe(1);
    expect(second.output()).toContain('another npm start is running on this database');
  });

  it('takes its lock back from a connection that only the server believes in', async () => {
    line.forgetClients();
    await supervisor.says('connected to the database again');

    expect(await startOther().exitCode()).toBe(1);
  });

  it('waits for the database when it is unavailable, names it without its password, and locks it again', async () => {
    await postgres.stop();
    await supervisor.says('the database is unavailable, retrying');
    const other = startOther();
    expect(await other.exitCode()).toBe(1);
    expect(other.output()).toContain('DATABASE_URL: no connection: connect ECONNREFUSED');
    expect(other.output()).not.toContain(new URL(databaseUrl).password);

    await postgres.start();
    await supervisor.says('connected to the database again');
    expect(await startOther().exitCode()).toBe(1);
  });

  it('uses it and leaves it running', async () => {
    supervisor.process.kill('SIGTERM');

    expect(await supervisor.exitCode()).toBe(0);
    expect(existsSync(join(installation.dataDir, 'postgres'))).toBe(false);
    expect(await postgres.start()).toEqual({ databaseUrl, adopted: true });
  });

  it('neither migrates, nor seeds, nor makes secrets in production', async () => {
    const before = installation.events();
    const dataDir = join(installation.folder, 'production');
    supervisor = installation.run({
      ...production(),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
    });
    await supervisor.says('ready in');

    const events = installation.events().slice(before.length);
    expect(events.filter((event) => event.endsWith('migrated'))).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
    expect(supervisor.output()).toMatch(/console +https:\/\/console\.fiado\.test\n/);
    expect(supervisor.output()).not.toContain('invitacion');
    expect(installation.environmentOf('notifier')).toMatchObject({
      FIADO_MODE: 'production',
      TWILIO_AUTH_TOKEN: 'token',
    });
    expect(installation.environmentOf('payments')).not.toHaveProperty('TWILIO_AUTH_TOKEN');
  });
});

function production(): Record<string, string> {
  const newSecret = () => randomBytes(32).toString('base64');
  return {
    FIADO_MODE: 'production',
    PUBLIC_URL: 'https://fiado.test',
    CONSOLE_URL: 'https://console.fiado.test',
    LENDER_NAME: 'Financiera del Barrio',
    SUPPORT_PHONE: '55 1234 5678',
    PRIVACY_URL: 'https://lender.example.com/privacidad',
    OPS_API_KEY: newSecret(),
    GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY: testSigningKey('gateway'),
    ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY: testSigningKey('accounts'),
    TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY: testSigningKey('transactions'),
    PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY: testSigningKey('payments'),
    NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY: testSigningKey('notifier'),
    CODE_PEPPER: newSecret(),
    ENCRYPTION_KEY: newSecret(),
    ACCESS_TOKEN_PRIVATE_KEY: testSigningKey('access tokens'),
    SMS_PROVIDER: 'twilio',
    TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+15005550006',
  };
}
