import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepDocuments } from '../src/documents/sweep-documents';
import { createCustomer, createWholesaler, startAccounts, type Accounts } from './support/accounts';
import { documentOf, createVerification, takeStep } from './support/onboarding';

describe('the document sweep', () => {
  let accounts: Accounts;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-sweep-'));
    accounts = await startAccounts({ config: { DATA_DIR: folder } });
  });
  afterAll(async () => {
    await accounts.stop();
    await rm(folder, { recursive: true });
  });

  it('files without a row are removed after a day, unless no file of the folder has one', async () => {
    const uploads = join(folder, 'uploads');
    const age = async (name: string, hours: number): Promise<void> => {
      const time = new Date(Date.now() - hours * 3_600_000);
      await writeFile(join(uploads, name), 'x', { flag: 'a' });
      await utimes(join(uploads, name), time, time);
    };
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    const verificationId = await createVerification(accounts, wholesalerId, customer);
    const ids = { userId: customer.userId, verificationId };
    const body = { step: 'SELFIE_IMAGE', document: await documentOf('jpeg') };
    expect((await takeStep(accounts, wholesalerId, ids, { body })).status).toBe(200);
    await age('orphan', 25);
    await age('half.part', 25);
    await age('young', 23);
    await sweepDocuments(accounts.context);
    expect(await readdir(uploads)).toEqual(
      expect.arrayContaining(['orphan', 'half.part', 'young']),
    );

    const [row] = await accounts.rows<{ storage_key: string }>(
      'SELECT storage_key FROM onboarding_documents WHERE corner_store_id = $1',
      [customer.cornerStoreId],
    );
    await age(row?.storage_key ?? '', 25);
    // A process that stops removes no more.
    await sweepDocuments(accounts.context, AbortSignal.abort());
    expect(await readdir(uploads)).toContain('orphan');
    await sweepDocuments(accounts.context);
    const left = await readdir(uploads);
    expect(left).toEqual(expect.arrayContaining(['young', row?.storage_key]));
    expect(left).not.toEqual(expect.arrayContaining(['orphan']));
    expect(left).not.toEqual(expect.arrayContaining(['half.part']));
  });
});
