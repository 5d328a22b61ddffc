import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { tokenHeader, type Answer } from '@fiado/chassis/testing/call';
import {
  createCustomer,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import {
  bomb,
  createVerification,
  documentOf,
  picture,
  RECOMMENDED_SIZE,
  takeStep,
} from './support/onboarding';

const MEGABYTE = 1024 * 1024;

describe('images of an onboarding', () => {
  let accounts: Accounts;
  let folder: string;
  let wholesalerId: string;
  let apiKey: string;
  let customer: Customer;
  let verificationId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-images-'));
    ({ accounts, wholesalerId, apiKey } = await startAccountsWithWholesaler({
      config: { DATA_DIR: folder },
    }));
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    verificationId = await createVerification(accounts, wholesalerId, customer);
  });
  afterAll(async () => {
    await accounts.stop();
    await rm(folder, { recursive: true });
  });

  function upload(document: object, step = 'SELFIE_IMAGE'): Promise<Answer> {
    const ids = { userId: customer.userId, verificationId };
    return takeStep(accounts, wholesalerId, ids, { body: { step, document } });
  }

  function uploadBytes(bytes: Buffer, fileExtension = 'jpeg'): Promise<Answer> {
    return upload({ fileExtension, base64Content: bytes.toString('base64') });
  }

  const documents = (): string => `/v1/admin/corner-stores/${customer.cornerStoreId}/documents`;

  async function listed(): Promise<Array<Record<string, unknown>>> {
    return (await accounts.call(ops(), 'GET', documents())).body.documents;
  }

  async function fetchImage(documentId: unknown): Promise<Response> {
    return fetch(`${accounts.url}${documents()}/${String(documentId)}`, {
      headers: await tokenHeader('accounts', ops()),
    });
  }

  it('are stored sealed, upright and without metadata, and ops can read them', async () => {
    const bytes = await picture('jpeg', { width: 90, height: 40 })
      .withExif({
        IFD0: { Copyright: 'Ana-in-the-metadata' },
        IFD3: { GPSLatitude: '19/1 2/1 3/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    expect((await uploadBytes(bytes)).status).toBe(200);

    const [document] = await listed();
    expect(document).toMatchObject({
      step: 'SELFIE_IMAGE',
      wholesalerId,
      verificationId,
      width: 40,
      height: 90,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const response = await fetchImage(document?.documentId);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="selfie_image-.*\.jpg"$/),
      'cache-control': 'no-store',
    });
    const image = Buffer.from(await response.arrayBuffer());
    const metadata = await sharp(image).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: 40, height: 90 });
    expect([metadata.exif, metadata.orientation, metadata.xmp]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(document?.sizeBytes).toBe(image.length);

    const [row] = await accounts.rows<{ storage_key: string }>(
      'SELECT storage_key FROM onboarding_documents WHERE id = $1',
      [document?.documentId],
    );
    const file = join(folder, 'uploads', row?.storage_key ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const rest = await readFile(file);
    expect(rest.subarray(0, 64).includes(Buffer.from('ffd8ff', 'hex'))).toBe(false);
    expect(rest.length).toBe(image.length + 32);
  });

  it('are accessible to ops only, and each access is audited', async () => {
    await upload(await documentOf('png'));
    const [document] = await listed();
    const path = `${documents()}/${String(document?.documentId)}`;
    expect((await accounts.call(wholesaler(wholesalerId), 'GET', path)).status).toBe(403);
    expect((await accounts.call(ops(), 'GET', path)).status).toBe(200);
    const seen = await accounts.rows(
      'SELECT actor_id, action, details FROM audit_log WHERE object_id = $1',
      [document?.documentId],
    );
    expect(seen).toEqual([
      {
        actor_id: 'ops',
        action: 'document.viewed',
        details: { cornerStoreId: customer.cornerStoreId },
      },
    ]);

    const stranger = await createCustomer(accounts, wholesalerId);
    for (const other of [
      path.replace(customer.cornerStoreId, stranger.cornerStoreId),
      `${documents()}/x`,
    ]) {
      const answer = await accounts.call(ops(), 'GET', other);
      expect([answer.status, answer.body.errorCode]).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    }
    const none = await accounts.call(ops(), 'GET', '/v1/admin/corner-stores/x/documents');
    expect(none.body.errorCode).toBe('CORNER_STORE_NOT_FOUND');
  });

  it('outside the recommendations of the specification are accepted with warnings', async () => {
    const small = await upload(await documentOf('jpeg', { width: 749, height: 10 }));
    expect(small.body.warnings).toEqual([
      'The image is smaller than 250 KB',
      'The image is narrower than 750 pixels',
    ]);
    const large = await upload(await documentOf('png', { width: 750, height: 600 }));
    expect([large.status, large.body.warnings]).toEqual([200, ['The image is larger than 1 MB']]);
    const blurred = await picture('jpeg', { width: 750, height: 60 }).blur(8).toBuffer();
    // Sent again, it is not decoded.
    for (const answer of [await uploadBytes(blurred), await uploadBytes(blurred)]) {
      expect([answer.status, answer.body.warnings]).toEqual([
        200,
        ['The image is smaller than 250 KB', 'The image is blurred'],
      ]);
    }
    expect((await upload(await documentOf('jpeg', RECOMMENDED_SIZE))).body.warnings).toEqual([]);

    const found = await listed();
    expect(found.map(({ imageWarnings }) => imageWarnings)).toEqual([
      [],
      ['few-bytes', 'blurred'],
      ['many-bytes'],
      ['few-bytes', 'narrow'],
    ]);
  });

  it('of a release that kept no warnings have none', async () => {
    await upload(await documentOf('jpeg', { width: 749, height: 10 }));
    await accounts.rows(
      'UPDATE onboarding_documents SET warnings = NULL WHERE corner_store_id = $1',
      [customer.cornerStoreId],
    );
    expect(await listed()).toMatchObject([{ imageWarnings: [] }]);
  });

  it('equal ones are stored once; a different one of the same step is stored in addition', async () => {
    const document = await documentOf('jpeg');
    const before = (await readdir(join(folder, 'uploads'))).length;
    await Promise.all(Array.from({ length: 5 }, () => upload(document)));
    await upload(document, 'STORE_IMAGE');
    await upload(await documentOf('jpeg'));
    expect(await listed()).toHaveLength(3);
    expect(await readdir(join(folder, 'uploads'))).toHaveLength(before + 3);
  });

  it('of one step are refused after twenty', async () => {
    await accounts.rows(
      `INSERT INTO onboarding_documents (id, corner_store_id, wholesaler_id, verification_id, step,
                                         sha256, size_bytes, width, height, storage_key)
       SELECT gen_random_uuid(), $1, $2, $3, 'SELFIE_IMAGE', decode(md5(i::text), 'hex'), 1, 1, 1,
              gen_random_uuid() FROM generate_series(1, 19) i`,
      [customer.cornerStoreId, wholesalerId, verificationId],
    );
    expect((await upload(await documentOf('jpeg'))).status).toBe(200);
    const before = await readdir(join(folder, 'uploads'));
    const refused = await upload(await documentOf('jpeg'));
    expect(await readdir(join(folder, 'uploads'))).toEqual(before);
    expect([refused.status, refused.body.errorCode]).toEqual([422, 'DOCUMENT_LIMIT_REACHED']);
    expect((await upload(await documentOf('jpeg'), 'STORE_IMAGE')).status).toBe(200);
  });

  describe('are refused', () => {
    async function refused(answer: Answer, text: RegExp): Promise<void> {
      expect(answer.body).toEqual({
        statusCode: 400,
        message: [expect.stringMatching(text)],
        error: 'Bad Request',
      });
      expect(await listed()).toEqual([]);
    }

    it.each(['not base64!', 'AAA', 'QUJD\nQUJD', 'data:image/png;base64,AAAA', 'QUJDRB=='])(
      'as the text %j',
      async (base64Content) => {
        const answer = await upload({ fileExtension: 'png', base64Content });
        await refused(answer, /base64Content must be base64/);
      },
    );

    it('with another extension than their own', async () => {
      const { base64Content } = await documentOf('png');
      await refused(await upload({ fileExtension: 'jpg', base64Content }), /must agree/);
    });

    it('as another format, or as text that says it is an image', async () => {
      const webp = await picture('png').webp().toBuffer();
      await refused(await uploadBytes(webp), /PNG or JPEG/);
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
      await refused(await uploadBytes(svg, 'png'), /PNG or JPEG/);
    });

    it('above 25 megapixels, by the header alone', async () => {
      const png = await picture('png', { width: 10, height: 10 }).toBuffer();
      png.writeUInt32BE(50_000, 16);
      png.writeUInt32BE(501, 20);
      await refused(await uploadBytes(png, 'png'), /at most 25 megapixels/);
    });

    it('when two at once would decode to 141 MB each, and credentials are checked', async () => {
      const bytes = bomb(4_200);
      expect(bytes.length).toBeLessThan(200_000);
      const [check, ...answers] = await Promise.all([
        accounts.call(service('gateway'), 'POST', '/internal/credentials/check', {
          body: { credential: apiKey },
        }),
        uploadBytes(bytes, 'png'),
        uploadBytes(bytes, 'png'),
      ]);
      for (const answer of answers) await refused(answer, /decodes to at most 128 MB/);
      expect(check.status).toBe(200);
    });

    it('when cut short or damaged behind a good header', async () => {
      const jpeg = await picture('jpeg').toBuffer();
      await refused(await uploadBytes(jpeg.subarray(0, jpeg.length / 2)), /can be read/);
      const png = await picture('png').toBuffer();
      png.fill(0, 100, 2000);
      await refused(await uploadBytes(png, 'png'), /can be read/);
    });

    it('above 5 MB, and a body above 8 MB', async () => {
      const answer = await uploadBytes(Buffer.alloc(5 * MEGABYTE + 3, 1));
      await refused(answer, /at most 5 MB/);
      const tooLarge = await uploadBytes(Buffer.alloc(6.5 * MEGABYTE));
      expect([tooLarge.status, tooLarge.body.errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
  });
});
