import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestDatabase } from '@fiado/shared/testing/database';
import { RUN_SOURCES } from '@fiado/shared/testing/run-sources';
import { notifierSchema } from '../src/db/schema';

it('migrate runs with the URL of the owner and no other secret', async () => {
  const database = await createTestDatabase(notifierSchema);
  const env = {
    ...RUN_SOURCES.env,
    FIADO_MODE: 'sandbox',
    DATABASE_URL: database.ownerUrl,
    LOG_LEVEL: 'fatal',
  };
  const main = join(__dirname, '../src/main.ts');
  const child = spawn(process.execPath, [...RUN_SOURCES.args, main, 'migrate'], {
    env,
    stdio: 'inherit',
  });

  expect(await once(child, 'exit')).toEqual([0, null]);
  await database.drop();
});
