import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@fiado/chassis/service';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { AccountsConfig } from '../src/config';
import { accountsService } from '../src/service';
import { sweepDocuments } from '../src/documents/sweep-documents';
import { startAccounts, type Accounts } from './support/accounts';
import { S3StandIn } from '@fiado/chassis/testing/s3-stand-in';

describe('instances of accounts on one database', () => {
  let accounts: Accounts;
  let folders: string;

  beforeAll(async () => {
    folders = await mkdtemp(join(tmpdir(), 'fiado-uploads-'));
    accounts = await startAccounts({ config: { DATA_DIR: join(folders, 'one') } });
  });
  afterAll(async () => {
    await accounts.stop();
    await rm(folders, { recursive: true });
  });

  it('start on a copy of their folder, also after a sweep', async () => {
    await sweepDocuments(accounts.context);
    await cp(join(folders, 'one'), join(folders, 'copy'), { recursive: true });
    await start({ DATA_DIR: join(folders, 'copy') });
  });

  it('refuse to start on a folder of their own', async () => {
    const own = join(folders, 'two');
    await expect(start({ DATA_DIR: own })).rejects.toThrow(
      `${join(own, 'uploads')} is not the folder of this database's uploads`,
    );
  });

  it('start on any folder with an S3 store', async () => {
    const store = await S3StandIn.start();
    await start({ DATA_DIR: join(folders, 'three'), ...store.config });
    await store.stop();
  });

  /** Starts another instance, and stops it. */
  async function start(settings: object): Promise<void> {
    const { config, log } = accounts.context;
    const instance = await startService(accountsService, {
      config: Object.assign(new AccountsConfig(), config, settings),
      port: 0,
      log,
      timing: TEST_TIMING,
    });
    await instance.close();
  }
});
