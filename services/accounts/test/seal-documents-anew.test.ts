import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putDataKeys } from '@fiado/chassis/keys/data-key-rows';
import type { DataKey } from '@fiado/chassis/keys/data-keys';
import { sealPages } from '@fiado/chassis/keys/reseal';
import { ops } from '@fiado/chassis/testing/callers';
import { tokenHeader } from '@fiado/chassis/testing/call';
import type { DocumentStore } from '@fiado/chassis/documents/document-store';
import { SEALED_TABLES } from '../src/db/sealed-columns';
import { resealDocument } from '../src/documents/sweep-documents';
import { sweepDocuments } from '../src/documents/sweep-documents';
import { createCustomer, startAccountsWithWholesaler, type Accounts } from './support/accounts';
import { createVerification, documentOf, takeStep } from './support/onboarding';
import { S3StandIn } from '@fiado/chassis/testing/s3-stand-in';

const DAY_MS = 24 * 3_600_000;
const JPEG = Buffer.from('ffd8ff', 'hex');

/** Where images are kept. */
interface Store {
  config: Record<string, string>;
  countFiles(): Promise<number>;
  stop(): Promise<void>;
}

async function folderStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-seal-anew-'));
  return {
    config: { DATA_DIR: folder },
    countFiles: async () => {
      const names = await readdir(join(folder, 'uploads'), { withFileTypes: true });
      return names.filter((entry) => entry.isFile()).length;
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

async function s3Store(): Promise<Store> {
  const store = await S3StandIn.start();
  return {
    config: store.config,
    countFiles: async () => store.objects.size,
    stop: () => store.stop(),
  };
}

describe.each([
  ['a folder', folderStore],
  ['an S3 store', s3Store],
])('an image in %s, after a new data key', (_where, startStore) => {
  let store: Store;
  let accounts: Accounts;
  let keyNumber = 0;
  let documentId: string;
  let path: string;

  beforeAll(async () => {
    store = await startStore();
    const { config } = store;
    const started = await startAccountsWithWholesaler({ config });
    const { wholesalerId } = started;
    ({ accounts } = started);
    const customer = await createCustomer(accounts, wholesalerId);
    const verificationId = await createVerification(accounts, wholesalerId, customer);
    const ids = { userId: customer.userId, verificationId };
    const body = { step: 'SELFIE_IMAGE', document: await documentOf('jpeg') };
    expect((await takeStep(accounts, wholesalerId, ids, { body })).status).toBe(200);
    path = `/v1/admin/corner-stores/${customer.cornerStoreId}/documents`;
    ({ documentId } = (await accounts.call(ops(), 'GET', path)).body.documents[0]);
  });
  beforeEach(rotate);
  afterAll(async () => {
    await accounts.stop();
    await store.stop();
  });

  /** A newer key seals, and has for an hour. */
  async function rotate(): Promise<void> {
    keyNumber += 1;
    const { db, dataKeys } = accounts.context;
    const secret = Buffer.alloc(32, keyNumber);
    const key: DataKey = { kind: 'seal', number: keyNumber, secret, isSealing: true };
    await putDataKeys(db, [{ ...key, wrapped: dataKeys.wrapping.wrap(key) }]);
    await accounts.rows(`UPDATE data_keys SET sealing_from = now() - interval '1 hour'`);
    await dataKeys.refresh();
  }

  async function sealWith(documents: Partial<DocumentStore> = {}): Promise<void> {
    const context = { ...accounts.context };
    context.documents = { ...context.documents, ...documents };
    await resealDocument(context, documentId);
  }

  const sweepADayLater = (): Promise<void> =>
    sweepDocuments({
      ...accounts.context,
      clock: { now: () => new Date(Date.now() + DAY_MS + 60_000) },
    });

  /** The number of the key that sealed the image, which ops can see. */
  async function keyOfImage(): Promise<number> {
    const image = await fetch(`${accounts.url}${path}/${documentId}`, {
      headers: await tokenHeader('accounts', ops()),
    });
    expect(image.status).toBe(200);
    expect(Buffer.from(await image.arrayBuffer()).subarray(0, 3)).toEqual(JPEG);
    const [row] = await accounts.rows<{ storage_key: string }>(
      'SELECT storage_key FROM onboarding_documents WHERE id = $1',
      [documentId],
    );
    return (await accounts.context.documents.get(row?.storage_key ?? '')).readUInt32BE();
  }

  it('is sealed with it by the loop in a file of its own, and the file before is removed after a day', async () => {
    const tables = SEALED_TABLES.filter(({ hasFiles }) => hasFiles);
    await sealPages({ ...accounts.context, tables, sealFile: () => sealWith() });

    expect(await keyOfImage()).toBe(keyNumber);
    expect(await store.countFiles()).toBe(2);
    await sweepADayLater();
    expect(await store.countFiles()).toBe(1);
    expect(await keyOfImage()).toBe(keyNumber);
  });

  it('opens after a crash between its new file and its row, and the new file is removed after a day', async () => {
    const { documents } = accounts.context;
    const keyBefore = await keyOfImage();
    const crash = sealWith({
      put: async (content) => {
        await documents.put(content);
        throw new Error('killed');
      },
    });
    await expect(crash).rejects.toThrow('killed');

    expect(await store.countFiles()).toBe(2);
    expect(await keyOfImage()).toBe(keyBefore);
    await sweepADayLater();
    expect(await store.countFiles()).toBe(1);
    await sealWith();
    await sweepADayLater();
    expect(await keyOfImage()).toBe(keyNumber);
    expect(await store.countFiles()).toBe(1);
  });

  it('that two processes seal at once has one file more, not two', async () => {
    const { documents } = accounts.context;
    let bothHavePut: (value?: unknown) => void;
    const barrier = new Promise((resolve) => (bothHavePut = resolve));
    let puts = 0;
    const put = async (content: Buffer): Promise<string> => {
      const key = await documents.put(content);
      puts += 1;
      if (puts === 2) bothHavePut();
      await barrier;
      return key;
    };
    await Promise.all([sealWith({ put }), sealWith({ put })]);

    expect(await keyOfImage()).toBe(keyNumber);
    expect(await store.countFiles()).toBe(2);
    await sweepADayLater();
    expect(await store.countFiles()).toBe(1);
  });
});
