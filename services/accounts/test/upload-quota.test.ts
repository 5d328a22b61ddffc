import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '@fiado/chassis/testing/call';
import { createCustomer, createWholesaler, startAccounts, type Accounts } from './support/accounts';
import { documentOf, createVerification, takeStep } from './support/onboarding';

const MEGABYTE = 1024 * 1024;

let accounts: Accounts;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-quota-'));
  const limits = { IMAGES_PER_WHOLESALER_PER_DAY: '3', IMAGE_MB_PER_WHOLESALER_PER_DAY: '1' };
  accounts = await startAccounts({ config: { DATA_DIR: folder, ...limits } });
});
afterAll(async () => {
  await accounts.stop();
  await rm(folder, { recursive: true });
});

/** A wholesaler that uploads for one of its stores, and has images of an older upload. */
async function uploader(images: number, bytes: number) {
  const { wholesalerId } = await createWholesaler(accounts);
  const customer = await createCustomer(accounts, wholesalerId);
  const verificationId = await createVerification(accounts, wholesalerId, customer);
  await accounts.rows(
    `INSERT INTO onboarding_documents (id, corner_store_id, wholesaler_id, verification_id, step,
                                       sha256, size_bytes, width, height, storage_key)
     SELECT gen_random_uuid(), $1, $2, $3, 'STORE_IMAGE', decode(md5(i::text), 'hex'), $4, 1, 1,
            gen_random_uuid() FROM generate_series(1, $5) i`,
    [customer.cornerStoreId, wholesalerId, verificationId, bytes, images],
  );
  const { userId } = customer;
  const upload = async (): Promise<Answer> =>
    takeStep(
      accounts,
      wholesalerId,
      { userId, verificationId },
      {
        body: { step: 'SELFIE_IMAGE', document: await documentOf('jpeg') },
      },
    );
  return { wholesalerId, upload };
}

async function files(): Promise<string[]> {
  return readdir(join(folder, 'uploads')).catch(() => []);
}

it.each([
  ['number', 3, 1],
  ['bytes', 1, MEGABYTE],
])('the %s of a day’s images is limited for each wholesaler', async (_name, images, bytes) => {
  const busy = await uploader(images, bytes);
  const other = await uploader(0, 0);
  const before = await files();

  const refused = await busy.upload();
  expect([refused.status, refused.body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  expect(await files()).toEqual(before);
  expect((await other.upload()).status).toBe(200);

  await accounts.rows(
    `UPDATE onboarding_documents SET created_at = now() - interval '25 hours'
      WHERE wholesaler_id = $1`,
    [busy.wholesalerId],
  );
  expect((await busy.upload()).status).toBe(200);
});
